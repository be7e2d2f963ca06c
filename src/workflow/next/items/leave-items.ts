import { isOver, type SkipCause } from '../../model/run.ts';
import { listItems } from '../../model/stage-at.ts';
import { withMark } from '../../model/with-mark.ts';
import { landingLeft } from '../compensate/late-landing.ts';
import { closeQuestions } from '../escalation.ts';
import { finishStep } from '../finish-step.ts';
import { halt } from '../release/halt.ts';
import type { Turn } from '../turn.ts';

/** Leaves out every item of a `for_each` that has not ended. */
export function leaveItems(turn: Turn, forEach: string, why: string, cause: SkipCause): void {
  for (const address of listItems(turn.run, forEach)) if (!isOver(turn.step(address))) leaveItem(turn, address, why, cause);
}

export function leaveItem(turn: Turn, address: string, why: string, cause: SkipCause): void {
  leaveStages(turn, address, why);
  turn.changeStep(address, { state: { kind: 'skipped', why, cause }, endedMs: turn.at });
  turn.note(address, `skipped: ${why}`);
}

/** Stops the agents of an item that has no use for their work any more. */
export function leaveStages(turn: Turn, item: string, why: string): void {
  const stage = turn.stage(item);
  if (stage.kind !== 'item') return;
  for (const address of stage.stages) {
    const step = turn.run.steps[address];
    if (step === undefined || isOver(step)) continue;
    if (step.seat !== null && step.state.kind !== 'waiting') halt(turn, address);
    closeQuestions(turn, address, 'skip');
    turn.settle(address, step.state.kind === 'cooling' ? 'cancelled' : 'skipped');
    turn.changeStep(address, { state: { kind: 'skipped', why, cause: 'condition' }, endedMs: turn.at, ...landingLeft(turn, step) });
  }
}

/** The run goes on with the items that are done. */
export function goOnWithout(turn: Turn, forEach: string, why: string): void {
  leaveItems(turn, forEach, why, 'failure');
  turn.changeStep(forEach, { marks: withMark(turn.step(forEach).marks, 'partial') });
  // What failed has not recovered: the run does without it.
  turn.settle(forEach, 'skipped');
  finishStep(turn, forEach, 'partial');
}
