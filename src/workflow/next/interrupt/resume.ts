import type { Resumption } from '../../model/event.ts';
import { isOver } from '../../model/run.ts';
import { stageAt } from '../../model/stage-at.ts';
import { withMark } from '../../model/with-mark.ts';
import { planChange } from '../change/plan-change.ts';
import { takePlan } from '../change/take-plan.ts';
import { reopenItem, rollBack } from '../compensate/roll-back.ts';
import { closeQuestions } from '../escalation.ts';
import { finishStep } from '../finish-step.ts';
import { leaveItems } from '../items/leave-items.ts';
import { levelOf } from '../role.ts';
import { skip } from '../skip.ts';
import { moveTimes } from '../time/run-clock.ts';
import type { Turn } from '../turn.ts';
import { settlePause, stopAll } from './interrupt.ts';
import { openBefore, restartable } from './resume-choices.ts';

/** Lets a paused run go on. The time of the pause counts against nothing. */
export function resume(turn: Turn, how: Resumption): void {
  if (turn.run.status === 'pausing') {
    stopAll(turn);
    settlePause(turn);
  }
  const { status, pause } = turn.run;
  if (status !== 'paused' || pause === null) return;
  const change = how.kind === 'changed' ? planChange(turn.run, how.plan) : undefined;
  // Something may have landed after a person saw what would happen.
  if (change !== undefined && change.refusals.length > 0)
    return turn.note(null, 'stays paused: something has landed, and the changed workflow cannot be used any more');
  moveTimes(turn, Math.max(0, turn.at - pause.sinceMs));
  turn.change({ status: 'running', pause: null });
  turn.note(null, 'resumed');
  if (how.kind === 'skip_to') skipTo(turn, how.stage);
  if (how.kind === 'changed' && change !== undefined) takePlan(turn, how.plan, change);
  if (how.kind === 'again') for (const address of restartable(turn.run, how.address)) beginAgain(turn, address);
}

/** An item that was left out before it began has nothing to roll back. */
function beginAgain(turn: Turn, address: string): void {
  if (stageAt(turn.run, address)?.kind === 'item') reopenItem(turn, address);
  else rollBack(turn, address, { reason: 'a person runs it again' });
}

/** Leaves out what the stage needs and what has not ended. Of a `for_each`, the items that are done stay. */
function skipTo(turn: Turn, to: string): void {
  const open = openBefore(turn.run, to);
  const why = `a person skipped to ${to}`;
  for (const address of open) {
    const step = turn.run.steps[address];
    if (step === undefined || isOver(step)) continue;
    closeQuestions(turn, address, 'skip');
    if (stageAt(turn.run, address)?.kind === 'for_each' && step.state.kind !== 'waiting') {
      leaveItems(turn, address, why, 'person');
      turn.changeStep(address, { marks: withMark(turn.step(address).marks, 'partial') });
      finishStep(turn, address);
    } else skip(turn, address, why, turn.stage(address).kind === 'review' ? 'unverified' : 'partial', 'person');
  }
  if (open.length > 0) turn.warn(levelOf(turn), `${why}: ${open.join(', ')} left out, so the results may have gaps`);
}
