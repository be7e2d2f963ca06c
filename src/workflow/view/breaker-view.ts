import { clockTime } from '../../base/clock-time.ts';
import type { Instant } from '../../base/ports.ts';
import type { FailingService } from '../../store/tables/failing-services.ts';
import type { Run } from '../model/run.ts';
import { NEVER } from '../next/breaker/when-open.ts';

/** A circuit breaker that is not closed. The names are part of the contract of `--json`. */
export interface BreakerView {
  /** `stage:6c`, `item:5/s3`, `provider:claude`. */
  readonly scope: string;
  readonly state: 'open' | 'half_open';
  readonly failures: number;
  /** When one more try is let through; null if it is under way, or if nobody wants one. */
  readonly until_ms: Instant | null;
  /** The step that has the one try. */
  readonly trial: string | null;
}

export function breakerViews({ breakers }: Pick<Run, 'breakers'>): readonly BreakerView[] {
  return Object.entries(breakers).flatMap(([scope, { state }]): readonly BreakerView[] => {
    if (state.kind === 'closed') return [];
    const until_ms = state.kind === 'open' && state.until < NEVER ? state.until : null;
    return [{ scope, state: state.kind, failures: state.failures, until_ms, trial: state.kind === 'half_open' ? state.trial : null }];
  });
}

/** They count for every run. */
export function serviceViews(services: readonly FailingService[]): readonly BreakerView[] {
  return services.map(({ account, failures, until_ms }) => ({
    scope: `${PROVIDER}${account}`,
    state: 'open',
    failures,
    until_ms,
    trial: null,
  }));
}

const PROVIDER = 'provider:';

export function breakerText({ scope, failures, until_ms, trial }: BreakerView, now: Instant): string {
  if (scope.startsWith(PROVIDER) && until_ms !== null)
    return `The service of ${scope.slice(PROVIDER.length)} has failed ${failures} times in a row: new work goes to the fallback of a role, one more try at ${clockTime(until_ms, now)}.`;
  const times = failures === 1 ? '1 failure' : `${failures} failures`;
  const next = trial !== null ? `, ${trial} has one more try` : until_ms === null ? '' : `, one more try at ${clockTime(until_ms, now)}`;
  return `The circuit breaker of ${scope.slice(scope.indexOf(':') + 1)} is open after ${times}${next}.`;
}
