import type { Instant } from '../base/ports.ts';

/**
 * A circuit breaker stops trying after several failures in a row: what fails again and again costs time and tokens. After a wait it lets
 * exactly one try through, and that one decides.
 */
export type Breaker =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open'; readonly failures: number; readonly until: Instant }
  /** `trial`: who has the one try. */
  | { readonly kind: 'half_open'; readonly failures: number; readonly trial: string };

export interface BreakerPolicy {
  /** How many failures in a row open it. */
  readonly failures: number;
  /** How long it stays open before one more try. */
  readonly retryAfterMs: number;
}

export const CLOSED: Breaker = { kind: 'closed', failures: 0 };

/** What a failure does to it. A failure of a step that began before it opened neither prolongs the wait nor ends the one try. */
export function afterFailure(breaker: Breaker, by: string, { failures: most, retryAfterMs }: BreakerPolicy, now: Instant): Breaker {
  const failures = breaker.failures + 1;
  switch (breaker.kind) {
    case 'closed':
      return failures >= most ? { kind: 'open', failures, until: now + retryAfterMs } : { kind: 'closed', failures };
    case 'open':
      return { ...breaker, failures };
    case 'half_open':
      return breaker.trial === by ? { kind: 'open', failures, until: now + retryAfterMs } : { ...breaker, failures };
  }
}

/** What a success does to it: failures count in a row, and only the one try closes it again. */
export function afterSuccess(breaker: Breaker, by: string): Breaker {
  if (breaker.kind === 'closed') return breaker.failures === 0 ? breaker : CLOSED;
  return breaker.kind === 'half_open' && breaker.trial === by ? CLOSED : breaker;
}

export interface Admission {
  readonly admitted: boolean;
  readonly breaker: Breaker;
}

/** Whether a step may try now. `isGone`: the step that had the one try ended without a result, so that another one gets it. */
export function admit(breaker: Breaker, by: string, now: Instant, isGone: (trial: string) => boolean): Admission {
  switch (breaker.kind) {
    case 'closed':
      return { admitted: true, breaker };
    case 'open':
      return now < breaker.until ? { admitted: false, breaker } : { admitted: true, breaker: halfOpen(breaker, by) };
    case 'half_open':
      if (breaker.trial === by) return { admitted: true, breaker };
      return isGone(breaker.trial) ? { admitted: true, breaker: halfOpen(breaker, by) } : { admitted: false, breaker };
  }
}

function halfOpen({ failures }: Breaker, trial: string): Breaker {
  return { kind: 'half_open', failures, trial };
}
