/**
 * A wait with its share of chance: workers that fail in the same moment must not all try again in the same moment. Chance only adds,
 * so that a wait is never shorter than configured.
 *
 * @param chance 0 to 1, drawn at random.
 */
export function waitMs(plannedMs: number, jitter: number, chance: number): number {
  return Math.round(plannedMs * (1 + jitter * chance));
}
