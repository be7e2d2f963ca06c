/**
 * Attention as versions up to November 2026 stored it: the sentence itself. Sentences that later decisions replace or clear are
 * recognised; any other sentence is kept as it is, until the next change of the worker replaces it.
 */
export function fromOlderAttention(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored;
  for (const [sentence, attention] of SENTENCES) {
    const match = sentence.exec(stored);
    if (match !== null) return attention(match);
  }
  return { kind: 'note', text: stored };
}

const SENTENCES: readonly (readonly [sentence: RegExp, attention: (match: RegExpExecArray) => object])[] = [
  [
    /^Review it: llmc review \S+( \(there are uncommitted changes besides the commit\))?$/,
    ([, uncommitted]) => ({ kind: 'review', uncommitted: uncommitted !== undefined }),
  ],
  [
    /^Review it: llmc review \S+\. Besides, the agent ended (\d+) times in a row /,
    ([, endings]) => ({ kind: 'review_without_agent', endings: Number(endings) }),
  ],
  [
    /^Its commit conflicts with (\S+) in (.+)\. Ask it to rebase: /,
    ([, branch = '', files = '']) => ({ kind: 'conflict', branch, files: files.split(', ') }),
  ],
  [/^A prompt waits because a draft stands in the input box\. /, () => ({ kind: 'draft_in_box' })],
  [/^A dialog at start-up needs you: (.*) – llmc attach /s, ([, question = '']) => ({ kind: 'startup_dialog', question })],
];
