import { admit, afterFailure, afterSuccess, type Breaker, CLOSED } from '../../../recovery/decide-breaker.ts';
import { splitAddress } from '../../model/address.ts';
import { isOver, type Run, type RunBreaker } from '../../model/run.ts';
import { listSiblings, type RunStage } from '../../model/stage-at.ts';
import type { Turn } from '../turn.ts';

/** The name of a stage's breaker: one for all items, or one for each. */
function breakerKey({ id, circuitBreaker }: RunStage): string | undefined {
  if (circuitBreaker === undefined) return undefined;
  return circuitBreaker.scope === 'item' ? `item:${id}` : `stage:${splitAddress(id).stage}`;
}

/** The breaker of a stage; undefined for a stage without one. */
export function findBreaker({ breakers }: Pick<Run, 'breakers'>, stage: RunStage): RunBreaker | undefined {
  const key = breakerKey(stage);
  if (key === undefined || stage.circuitBreaker === undefined) return undefined;
  return breakers[key] ?? { state: CLOSED, whenOpen: stage.circuitBreaker.whenOpen, stretch: 1 };
}

/** Counts failures of a step. Returns whether its breaker is open now, so that nothing is tried again. */
export function countFailure(turn: Turn, stage: RunStage, times = 1): boolean {
  const { circuitBreaker } = stage;
  const breaker = findBreaker(turn.run, stage);
  if (breaker === undefined || circuitBreaker === undefined) return false;
  let { state } = breaker;
  for (let nth = 0; nth < times; nth += 1) state = afterFailure(state, stage.id, circuitBreaker, turn.at);
  changeBreaker(turn, stage, { state });
  if (state.kind === 'open' && breaker.state.kind !== 'open')
    turn.note(stage.id, `its circuit breaker opens after ${state.failures} ${state.failures === 1 ? 'failure' : 'failures'}`);
  return state.kind === 'open';
}

/** Work that is still reviewed has succeeded only when a review approves it. */
export function countSuccess(turn: Turn, stage: RunStage): void {
  if (listReviews(turn.run, stage.id).length === 0) closeBreaker(turn, stage);
  if (stage.kind === 'review') closeBreaker(turn, turn.stage(stage.of));
}

/** A try of the step has succeeded. */
export function closeBreaker(turn: Turn, stage: RunStage): void {
  const breaker = findBreaker(turn.run, stage);
  if (breaker === undefined) return;
  const state = afterSuccess(breaker.state, stage.id);
  if (state === breaker.state) return;
  changeBreaker(turn, stage, { state });
  if (breaker.state.kind === 'half_open') turn.note(stage.id, 'its circuit breaker closes: the one try succeeded');
}

/** Whether the step may be tried now. The one try of a half-open breaker belongs to the step from then on. */
export function passes(turn: Turn, stage: RunStage): boolean {
  const breaker = findBreaker(turn.run, stage);
  if (breaker === undefined) return true;
  const { admitted, breaker: state } = admit(breaker.state, stage.id, turn.at, (trial) => hasEnded(turn.run, trial));
  if (state !== breaker.state) {
    changeBreaker(turn, stage, { state });
    turn.note(stage.id, 'has the one try of its circuit breaker');
  }
  return admitted;
}

/** The step goes on while a person is asked about its open breaker: what becomes of it decides, as the one try would. */
export function hasTheTry(turn: Turn, stage: RunStage): void {
  const breaker = findBreaker(turn.run, stage);
  if (breaker?.state.kind !== 'open' || breaker.whenOpen !== 'ask') return;
  changeBreaker(turn, stage, { state: { kind: 'half_open', failures: breaker.state.failures, trial: stage.id } });
}

/** Whether the step waits for its breaker, because a person is asked what to do meanwhile. */
export function isHeld({ run, at }: Pick<Turn, 'run' | 'at'>, stage: RunStage): boolean {
  const breaker = findBreaker(run, stage);
  return breaker?.whenOpen === 'ask' && !admit(breaker.state, stage.id, at, (trial) => hasEnded(run, trial)).admitted;
}

/** Skipped, rolled back or removed: it brings no answer any more. The answer of work that is done may still be its review. */
function hasEnded(run: Run, address: string): boolean {
  const step = run.steps[address];
  if (step?.state.kind === 'done')
    return !listReviews(run, address).some(({ id }) => run.steps[id] !== undefined && !isOver(run.steps[id]));
  return step === undefined || isOver(step) || step.state.kind === 'waiting' || step.state.kind === 'asking';
}

function listReviews(run: Pick<Run, 'plan'>, address: string): readonly RunStage[] {
  return listSiblings(run, address).filter((stage) => stage.kind === 'review' && stage.of === address);
}

/** What is made again from its beginning has no failures yet. */
export function forgetBreaker(turn: Turn, stage: RunStage): void {
  const key = breakerKey(stage);
  if (key === undefined || !Object.hasOwn(turn.run.breakers, key)) return;
  turn.change({ breakers: Object.fromEntries(Object.entries(turn.run.breakers).filter(([each]) => each !== key)) });
}

export function changeBreaker(turn: Turn, stage: RunStage, changes: Partial<RunBreaker>): void {
  const key = breakerKey(stage);
  const breaker = findBreaker(turn.run, stage);
  if (key === undefined || breaker === undefined) return;
  turn.change({ breakers: { ...turn.run.breakers, [key]: { ...breaker, ...changes } } });
}

/** When an open breaker lets one more try through; null if it is not open. */
export function opensAgainAt(state: Breaker): number | null {
  return state.kind === 'open' ? state.until : null;
}
