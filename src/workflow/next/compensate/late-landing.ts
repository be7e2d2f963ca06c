import { isOver, type Step } from '../../model/run.ts';
import { withMark } from '../../model/with-mark.ts';
import { finishStep } from '../finish-step.ts';
import type { Turn } from '../turn.ts';

/** What is left of a landing that is under way when its step ends: nobody can call it back, so the run listens for it. */
export function landingLeft(turn: Turn, { address, state }: Step): Pick<Step, 'offer'> {
  const isMoving = state.kind === 'working' || (state.kind === 'acting' && state.doing === 'land');
  return isMoving && turn.stage(address).kind === 'land' ? { offer: state.action } : {};
}

/** Work lands after its step was left out or its run has ended. Main has it, so the run says so, and a rollback takes it back. */
export function landedLate(turn: Turn, action: string, commit: string | null): void {
  const step = Object.values(turn.run.steps).find(({ offer }) => offer === action);
  if (step === undefined) return;
  const { address, marks } = step;
  const result = { artifacts: {}, commit, answer: null, verdict: null };
  // A recovery tries the same landing again, and need not.
  if (!isOver(step) && step.state.kind !== 'waiting') {
    turn.changeStep(address, { result, offer: null });
    return finishStep(turn, address);
  }
  const isFirst = step.result?.commit == null;
  turn.changeStep(address, { ...(isFirst && { result }), offer: null, ...(commit !== null && { marks: withMark(marks, 'landed late') }) });
  if (commit === null) return;
  turn.regain([address]);
  const words = `landed as ${commit.slice(0, 12)} after it was left out`;
  turn.note(address, words);
  turn.warn(`The work of ${address} ${words}.`);
}
