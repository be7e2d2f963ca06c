import { formatSpan } from '../../../base/duration.ts';
import type { What } from '../../model/event.ts';
import type { Redo, Step } from '../../model/run.ts';
import { SAVE } from '../compose-prompt.ts';
import { openQuestion } from '../escalation.ts';
import { hasNoAgent, nameSeat, needsItsWorker } from '../seat.ts';
import type { Turn } from '../turn.ts';
import { closeForPause, GO_ON, hold } from './hold.ts';

/** Stops the work of a run: agents save what they have, complete results are collected, and then everything rests. */
export function beginPause(turn: Turn, { now }: Extract<What, { kind: 'pause' }>): void {
  if (turn.run.status === 'running') {
    const { saveTimeoutMs } = turn.policy;
    turn.change({ status: 'pausing', pause: { sinceMs: turn.at, untilMs: turn.at + saveTimeoutMs } });
    turn.note(null, now ? 'pausing at once' : `pausing: agents at work have ${formatSpan(saveTimeoutMs)} to save what they have`);
    if (!now) for (const step of Object.values(turn.run.steps)) interrupt(turn, step);
  }
  if (turn.run.status === 'pausing' && now) stopSteps(turn);
}

/** Called after each event: the run is paused as soon as nothing in it moves any more. */
export function settlePause(turn: Turn): void {
  const { status, pause: pausing, steps } = turn.run;
  if (status !== 'pausing' || pausing === null) return;
  if (turn.at >= pausing.untilMs) stopSteps(turn);
  else if (Object.values(steps).some((step) => isBusy(turn, step))) return;
  restAll(turn);
  turn.change({ status: 'paused' });
  turn.note(null, 'paused');
  turn.record({ kind: 'checkpoint', type: 'manual', note: 'paused' });
}

/** Ends the wait for agents and shell lines. */
export function stopSteps(turn: Turn): void {
  for (const step of Object.values(turn.run.steps)) {
    const then = chooseRedo(turn, step);
    if (then !== undefined) hold(turn, step, then);
  }
}

function interrupt(turn: Turn, step: Step): void {
  const { address, state } = step;
  if (state.kind === 'acting' && state.startBy !== undefined) return hold(turn, step, GO_ON);
  const working = state.kind === 'asking' ? state.working : state.kind === 'working' ? state : undefined;
  if (working === undefined || hasNoAgent(turn.stage(address))) return;
  // Behind a dialog or at a usage limit, it would not read the request.
  if (working.deadline?.leftMs != null || openQuestion(turn.run, address, 'blocked') !== undefined) return hold(turn, step, GO_ON);
  // Whether it may take longer: it has its whole time again when the run goes on.
  closeForPause(turn, address);
  turn.act(address, 'save', { kind: 'save', seat: nameSeat(turn, address), text: SAVE });
}

/** What a step that is stopped now does later; undefined if it does not move, or if a person moves it. */
function chooseRedo(turn: Turn, { address, state }: Step): Redo | undefined {
  const stage = turn.stage(address);
  if (state.kind === 'working') return stage.kind === 'land' ? undefined : hasNoAgent(stage) ? { kind: 'check' } : GO_ON;
  if (state.kind === 'asking') return state.working === undefined ? undefined : GO_ON;
  if (state.kind !== 'acting') return undefined;
  if (state.doing === 'collect') return { kind: 'collect' };
  // An action that waits in the queue stays there.
  return state.doing === 'save' || state.startBy !== undefined ? GO_ON : undefined;
}

/** Shell lines may end in the time that agents have. */
function isBusy(turn: Turn, { address, state }: Step): boolean {
  if (state.kind === 'acting') return state.doing === 'save' || state.doing === 'collect';
  const stage = turn.stage(address);
  return state.kind === 'working' && stage.kind !== 'land' && hasNoAgent(stage);
}

/** Also agents without a task end their sessions. Work that waits for a person's review can be reviewed all the same. */
function restAll(turn: Turn): void {
  const used = Object.values(turn.run.steps).filter((step) => step.seat !== null && needsItsWorker(turn, step));
  const seats = new Map(used.map(({ address }) => [nameSeat(turn, address), address]));
  for (const [seat, address] of seats) turn.perform(address, { kind: 'rest', seat });
}
