import type { Proof } from './proof.ts';

export type Verdict = 'clean' | 'losses' | 'hard_stop';

/** `losses` and `hard_stop` block an accept; only the first can be explained by a trailer. */
export function verdictOf({ stops, counts }: Pick<Proof, 'stops' | 'counts'>): Verdict {
  if (stops.length > 0) return 'hard_stop';
  return counts.unexplained > 0 ? 'losses' : 'clean';
}

/** Lines and files that did not come out right, and no trailer explains. */
export function lostOf({ counts, stops }: Pick<Proof, 'counts' | 'stops'>): number {
  return counts.unexplained + stops.length;
}

/** Whether the result has every line of both sides, also without the losses that a trailer explains. */
export function isWhole({ counts, stops }: Pick<Proof, 'counts' | 'stops'>): boolean {
  return counts.dropped + counts.resurrected + stops.length === 0;
}
