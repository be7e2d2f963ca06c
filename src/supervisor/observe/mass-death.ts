import type { Watch } from './watch.ts';

const FEW = 5;

/** When most of the fleet looks dead at once, it is more likely that we see badly: look again before acting. */
export function looksLikeMassDeath(seen: readonly Watch[]): boolean {
  const dead = seen.filter(({ pane }) => pane === 'gone' || (typeof pane !== 'string' && pane.dead)).length;
  return dead >= FEW && dead > seen.length / 2;
}
