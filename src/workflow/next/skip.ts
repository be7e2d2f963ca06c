import type { SkipCause } from '../model/run.ts';
import { withMark } from '../model/with-mark.ts';
import { landingLeft } from './compensate/late-landing.ts';
import { closeQuestions } from './escalation.ts';
import { restWorkers } from './finish-step.ts';
import { leaveItems } from './items/leave-items.ts';
import { describeLoss } from './loss.ts';
import { halt } from './release/halt.ts';
import type { Turn } from './turn.ts';

/**
 * Leaves a stage out. What it should have checked is not verified; what it should have made is missing for the stages after it. With a
 * mark, the run lacks something from then on: a caller that knows more about it says so instead.
 */
export function skip(
  turn: Turn,
  address: string,
  why: string,
  mark?: string,
  cause: SkipCause = mark === undefined ? 'condition' : 'failure',
): void {
  const stage = turn.stage(address);
  const { seat, state, marks } = turn.step(address);
  // Its agent may still be at work, for example after a timeout.
  if (seat !== null && state.kind !== 'waiting') halt(turn, address);
  // What its agent asked, or what it waited for, needs no answer any more.
  closeQuestions(turn, address, 'skip');
  turn.settle(address, state.kind === 'cooling' ? 'cancelled' : 'skipped');
  const left = landingLeft(turn, turn.step(address));
  turn.changeStep(address, { state: { kind: 'skipped', why, cause }, endedMs: turn.at, marks: withMark(marks, mark), ...left });
  if (stage.kind === 'review' && mark !== undefined) turn.changeStep(stage.of, { marks: withMark(turn.step(stage.of).marks, mark) });
  if (mark !== undefined) turn.lose(describeLoss(turn, address));
  turn.note(address, `skipped: ${why}`);
  if (stage.kind === 'for_each') leaveItems(turn, address, why, cause);
  if (stage.kind === 'review' || stage.kind === 'land') restWorkers(turn, stage.of);
}
