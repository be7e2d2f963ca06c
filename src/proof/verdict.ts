import { createHash } from 'node:crypto';
import type { Proof, ProofNote } from './proof.ts';

export type ProofVerdict = 'clean' | 'altered' | 'losses' | 'hard_stop';

/**
 * - `clean`: every line of both sides is there, in the order of its side and at most with another indentation, and nothing else
 * - `altered`: lines were replaced, moved or added, or left out with a reason. Lands only after a person has seen it
 * - `losses` and `hard_stop` block an accept; only the first can be explained by a trailer
 */
export function judgeProof({ stops, counts, notes }: Pick<Proof, 'stops' | 'counts' | 'notes'>): ProofVerdict {
  if (stops.length > 0) return 'hard_stop';
  if (counts.unexplained > 0) return 'losses';
  return counts.dropped + counts.resurrected + counts.replaced + counts.added + notes.filter(isAlteration).length === 0
    ? 'clean'
    : 'altered';
}

/** False for lines that only have another indentation, and for a file that the user has a rule for. */
export function isAlteration(note: ProofNote): boolean {
  switch (note.kind) {
    case 'reindented':
    case 'by_rule':
      return false;
    case 'moved':
    case 'line_endings':
    case 'file_chosen':
    case 'file_kept':
    case 'file_deleted':
    case 'file_added':
    case 'too_large':
      return true;
  }
}

/** Lines and files that did not come out right, and no trailer explains. */
export function countLost({ counts, stops }: Pick<Proof, 'counts' | 'stops'>): number {
  return counts.unexplained + stops.length;
}

/** Whether the result has every line of both sides, also without the losses that a trailer explains. */
export function isWhole({ counts, stops }: Pick<Proof, 'counts' | 'stops'>): boolean {
  return counts.dropped + counts.resurrected + stops.length === 0;
}

/** Of the losses that are not lost, what a person has to see: replaced, added and explained lines, and files. */
export function countAltered({ counts, notes }: Pick<Proof, 'counts' | 'notes'>): number {
  const explained = counts.dropped + counts.resurrected - counts.unexplained;
  return explained + counts.replaced + counts.added + notes.filter(isAlteration).length;
}

/**
 * The same for two proofs that say the same to a person, also if the lines are at other places because the work was put on a newer
 * main. A review remembers it: only this proof has been seen.
 */
export function findingsId(proof: Proof): string {
  const { stops, dropped, resurrected, replaced, added, notes } = proof;
  const keys = [
    ...stops.map((stop) => ['stop', stop.kind, 'path' in stop ? stop.path : '']),
    ...[...dropped, ...replaced].map(({ side, path, text, by }) => ['-', side, path, text, by]),
    ...[...resurrected, ...added].map(({ path, text }) => ['+', path, text]),
    ...notes.filter(isAlteration).map((note) => ['note', note.kind, note.path, 'to' in note ? note.to : '']),
  ].map((key) => JSON.stringify(key));
  return createHash('sha256')
    .update([...new Set(keys)].sort().join('\n'))
    .digest('hex');
}
