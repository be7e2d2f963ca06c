import { type ErrorRecord, errorRecord } from '../../recovery/error-record.ts';
import { isOver, type Step } from '../model/run.ts';
import { landingLeft } from './compensate/late-landing.ts';
import { lettersLeft } from './pass-on.ts';
import { dismissLater, dismissWorkers } from './release/dismiss.ts';
import { halt } from './release/halt.ts';
import { needsItsWorker } from './seat.ts';
import type { Turn } from './turn.ts';

/** Ends the run after its last stage. */
export function endRun(turn: Turn): void {
  const steps = Object.values(turn.run.steps);
  if (turn.run.status !== 'running' || steps.length === 0 || !steps.every(isOver)) return;
  turn.change({ status: 'done', clock: { ...turn.run.clock, endedMs: turn.at } });
  turn.note(null, 'the run is done');
  lettersLeft(turn);
  dismissWorkers(turn);
}

export function endAsAborted(turn: Turn, why: string): void {
  const id = `${turn.run.id}.${turn.number()}`;
  endWith(turn, 'aborted', errorRecord({ id, code: 'CANCELLED', message: why, component: 'run', at: turn.at }));
}

/** Ends the run now. Agents at work are stopped, and what they have left is kept, unless the run failed and may keep nothing partial. */
export function endWith(turn: Turn, status: 'failed' | 'aborted', error: ErrorRecord | null): void {
  if (turn.run.clock.endedMs !== null) return;
  const steps = Object.values(turn.run.steps);
  const keeps = status === 'aborted' || turn.policy.allowPartial;
  for (const step of steps) if (step.seat !== null && needsItsWorker(turn, step)) halt(turn, step.address, keeps);
  for (const step of steps) if (!isOver(step)) stop(turn, step, error);
  turn.change({ status, error, level: status === 'failed' ? 'failed' : turn.run.level, clock: { ...turn.run.clock, endedMs: turn.at } });
  turn.change({ pause: null });
  dismissLater(turn);
  turn.note(null, `the run ${status === 'failed' ? 'failed' : 'was aborted'}${error === null ? '' : `: ${error.message}`}`);
}

function stop(turn: Turn, step: Step, error: ErrorRecord | null): void {
  const { address } = step;
  const own = error !== null && error.component === address;
  turn.settle(address, own ? 'failed' : 'cancelled');
  turn.changeStep(address, {
    state: own ? { kind: 'failed', error } : { kind: 'skipped', why: 'the run ended', cause: 'condition' },
    endedMs: turn.at,
    ...landingLeft(turn, step),
  });
}
