/**
 * Attention as versions up to November 2026 stored it: the sentence itself. A review is recognised, because later decisions ask for
 * it; any other sentence is kept as it is, until the next change of the worker replaces it.
 */
export function fromOlderAttention(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored;
  const review = /^Review it: llmc review \S+( \(there are uncommitted changes besides the commit\))?$/.exec(stored);
  return review === null ? { kind: 'note', text: stored } : { kind: 'review', uncommitted: review[1] !== undefined };
}
