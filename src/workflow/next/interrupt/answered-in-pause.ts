import { type Answering, answered } from '../answered.ts';
import { collectSaved } from '../attempt.ts';
import { hasNoAgent } from '../seat.ts';
import type { Turn } from '../turn.ts';
import { GO_ON, hold } from './hold.ts';

/** Something answered an action of a run that is pausing or paused. Nothing that an interruption causes counts as a failure. */
export function answeredInPause(turn: Turn, what: Answering): void {
  const step = turn.waitingFor(what.action);
  if (step === undefined) return answered(turn, what);
  const { state } = step;
  if (state.kind === 'acting' && state.doing === 'undo') return answered(turn, what);
  const stage = turn.stage(step.address);
  if (hasNoAgent(stage) || (stage.kind !== 'work' && stage.kind !== 'review')) {
    // Shell lines that were about to begin.
    if (what.kind === 'started' && stage.kind !== 'land' && turn.run.status === 'paused') return hold(turn, step, { kind: 'check' });
    return answered(turn, what);
  }
  switch (state.kind === 'acting' ? state.doing : undefined) {
    case 'collect':
      if (what.kind === 'collected') return answered(turn, what);
      return hold(turn, step, what.kind === 'failed' ? { kind: 'collect' } : GO_ON);
    case 'save':
      if (what.kind === 'given' || what.kind === 'started' || what.kind === 'queued' || what.kind === 'busy') return;
      if (what.kind === 'collected') return answered(turn, what);
      return what.kind === 'finished' ? collectSaved(turn, stage) : hold(turn, step, GO_ON);
    default:
      // It was being performed when the run was told to pause.
      if (what.kind === 'queued' || what.kind === 'busy') return;
      if (what.kind === 'failed') return answered(turn, what);
      return hold(turn, step, what.kind === 'finished' ? { kind: 'collect' } : GO_ON);
  }
}
