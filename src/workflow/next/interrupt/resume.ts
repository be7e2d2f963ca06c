import type { Resumption } from '../../model/event.ts';
import { planChange } from '../change/plan-change.ts';
import { takePlan } from '../change/take-plan.ts';
import { runAgain } from '../compensate/roll-back.ts';
import { moveTimes } from '../time/run-clock.ts';
import type { Turn } from '../turn.ts';
import { settlePause, stopSteps } from './interrupt.ts';
import { restartable } from './resume-choices.ts';
import { skipTo } from './skip-to.ts';

/** Lets a paused run go on. The time of the pause counts against nothing. */
export function endPause(turn: Turn, how: Resumption): void {
  if (turn.run.status === 'pausing') {
    stopSteps(turn);
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
  if (how.kind === 'again' && restartable(turn.run, how.address).length > 0) runAgain(turn, how.address, 'a person runs it again');
}
