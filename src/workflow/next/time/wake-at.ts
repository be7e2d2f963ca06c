import type { Instant } from '../../../base/ports.ts';
import type { Run } from '../../model/run.ts';
import { opensAgainAt } from '../breaker/breaker.ts';
import { NEVER } from '../breaker/when-open.ts';
import { hasEnded } from '../next.ts';
import { answerTimes } from '../questions/deadlines.ts';
import type { RunPolicy } from '../turn.ts';
import { findDeadline, runTimeLeft } from './run-clock.ts';

/**
 * When the run has something to do by the clock, after the decision at this time. Null: only an event moves it, so that waiting costs
 * nothing. What was due at that time has been done, or its breaker holds it and has a time of its own.
 */
export function wakeAt(run: Run, policy: RunPolicy, decidedAt: Instant): Instant | null {
  if (hasEnded(run)) return run.seats.length === 0 ? null : run.dismissMs;
  if (run.status !== 'running') return run.status === 'pausing' ? (run.pause?.untilMs ?? null) : null;
  const times = Object.values(run.steps).flatMap((step) => {
    if (step.state.kind === 'cooling') return step.state.until > decidedAt ? [step.state.until] : [];
    return findDeadline(step)?.at ?? [];
  });
  times.push(...answerTimes(run));
  // A step may wait for its breaker's one more try.
  const opens = Object.values(run.breakers).flatMap(({ state }) => opensAgainAt(state) ?? []);
  times.push(...opens.filter((at) => at > decidedAt && at < NEVER));
  if (run.clock.stoppedSince === null)
    times.push(decidedAt + runTimeLeft(run, policy, decidedAt), run.checkpointMs + policy.checkpointEveryMs);
  return times.length === 0 ? null : Math.min(...times);
}
