import type { Instant } from '../../../base/ports.ts';
import { type Deadline, isOver, type Run, type Step } from '../../model/run.ts';
import { itemAround } from '../../model/stage-at.ts';
import { openQuestion } from '../escalation.ts';
import { moveAnswerDeadlines } from '../questions/deadlines.ts';
import type { RunPolicy, Turn } from '../turn.ts';

/** Stops the run's clock while nothing but people and usage limits holds it, and starts it again. */
export function keepClock(turn: Turn): void {
  const { clock, status } = turn.run;
  const stands = status !== 'running' || liveSteps(turn.run).every((step) => waitsOutside(turn, step));
  if (stands && clock.stoppedSince === null) turn.change({ clock: { ...clock, stoppedSince: turn.at } });
  if (!stands && clock.stoppedSince !== null) {
    const stoppedMs = clock.stoppedMs + Math.max(0, turn.at - clock.stoppedSince);
    turn.change({ clock: { ...clock, stoppedMs, stoppedSince: null } });
  }
  // The time of items stands with the run: resuming moves it.
  if (status === 'running') for (const step of Object.values(turn.run.steps)) keepItemsClock(turn, step);
}

/** The time of a `for_each` stands still while people and usage limits hold all of its items. */
function keepItemsClock(turn: Turn, { address, state }: Step): void {
  if (state.kind !== 'under_way' || state.deadline === null) return;
  const live = liveSteps(turn.run).filter((step) => itemAround(turn.run, step.address)?.within.id === address);
  const stands = live.length > 0 && live.every((step) => waitsOutside(turn, step));
  const deadline = stands ? parked(state.deadline, turn.at) : unparked(state.deadline, turn.at);
  if (deadline.leftMs !== state.deadline.leftMs) turn.changeStep(address, { state: { ...state, deadline } });
}

/** What is left of the run's time; infinite while its clock stands, because it cannot run out then. */
export function runTimeLeft({ clock, plan }: Run, policy: RunPolicy, now: Instant): number {
  if (clock.stoppedSince !== null) return Number.POSITIVE_INFINITY;
  return (plan.timeoutMs ?? policy.runTimeoutMs) - (now - clock.startedMs - clock.stoppedMs);
}

function liveSteps({ steps }: Run): readonly Step[] {
  return Object.values(steps).filter((step) => !isOver(step) && step.state.kind !== 'waiting' && step.state.kind !== 'under_way');
}

function waitsOutside(turn: Turn, { address, state }: Step): boolean {
  // Its agent goes on meanwhile.
  if (state.kind === 'asking') return state.working === undefined || state.working.deadline.leftMs !== null;
  if (state.kind === 'acting') return state.startBy?.leftMs != null || openQuestion(turn.run, address, 'resource') !== undefined;
  return state.kind === 'working' && (turn.stage(address).kind === 'land' || state.deadline?.leftMs != null);
}

/** The deadline of a step that counts at the moment, if it has one; a parked one does not count. */
export function findDeadline({ state }: Pick<Step, 'state'>): Deadline | null {
  const deadline =
    state.kind === 'working' || state.kind === 'under_way' ? state.deadline : state.kind === 'acting' ? (state.startBy ?? null) : null;
  return deadline?.leftMs === null ? deadline : null;
}

/** Replaces the deadline of a step, if it has one. */
export function moveDeadline(turn: Turn, { address, state }: Step, change: (deadline: Deadline, now: Instant) => Deadline): void {
  if ((state.kind === 'working' || state.kind === 'under_way') && state.deadline !== null)
    turn.changeStep(address, { state: { ...state, deadline: change(state.deadline, turn.at) } });
  if (state.kind === 'asking' && state.working !== undefined)
    turn.changeStep(address, { state: { ...state, working: { ...state.working, deadline: change(state.working.deadline, turn.at) } } });
  if (state.kind === 'acting' && state.startBy !== undefined)
    turn.changeStep(address, { state: { ...state, startBy: change(state.startBy, turn.at) } });
}

/** Moves the time of the run and of its stages by as long as llmc was not there: agents of a machine that was off did not work either. */
export function away(turn: Turn, ms: number): void {
  // A paused run gets all the time of its pause back when it resumes.
  if (turn.run.status !== 'running') return;
  moveTimes(turn, ms);
  const { clock } = turn.run;
  if (clock.stoppedSince === null) turn.change({ clock: { ...clock, stoppedMs: clock.stoppedMs + ms } });
}

/** Moves every deadline that counts. */
export function moveTimes(turn: Turn, ms: number): void {
  for (const step of Object.values(turn.run.steps))
    moveDeadline(turn, step, ({ at, leftMs }) => (leftMs === null ? { at: at + ms, leftMs } : { at, leftMs }));
  moveAnswerDeadlines(turn, ms);
}

export function parked({ at, leftMs }: Deadline, now: Instant): Deadline {
  return leftMs === null ? { at, leftMs: Math.max(0, at - now) } : { at, leftMs };
}

export function unparked({ at, leftMs }: Deadline, now: Instant): Deadline {
  return leftMs === null ? { at, leftMs } : { at: now + leftMs, leftMs: null };
}
