import { formatSpan } from '../../../base/duration.ts';
import type { Deadline, Nudge, Step } from '../../model/run.ts';
import type { RunStage } from '../../model/stage-at.ts';
import { NUDGE } from '../compose-prompt.ts';
import { hasNoAgent, nameSeat } from '../seat.ts';
import type { Turn } from '../turn.ts';

/** An agent without progress gets the question when its turn ends. A turn that hangs does not end, so it is not waited for without an end. */
const TIMES_TO_TAKE = 10;

type Working = Extract<Step['state'], { kind: 'working' }>;

/** The state of a step whose agent has the task and can be asked about it; undefined for any other. */
export function agentAtWork(turn: Turn, address: string): Working | undefined {
  const { state } = turn.step(address);
  return state.kind === 'working' && !hasNoAgent(turn.stage(address)) ? state : undefined;
}

/** The agent goes on with its task and is asked how far it is. Who did not answer is interrupted for the next question. */
export function nudge(turn: Turn, address: string, working: Working, nth: number): void {
  const action = look(turn, address, { text: NUDGE, interrupt: nth > 1, takenMs: null });
  wait(turn, address, working, { kind: 'sending', action }, TIMES_TO_TAKE * turn.policy.nudgeTimeoutMs);
}

/** The time for an answer is over. Before anything else follows, llmc looks whether the agent has gone on with its task. */
export function lookAfter(turn: Turn, address: string, working: Working): void {
  const takenMs = working.nudge?.kind === 'taken' ? working.nudge.at : null;
  const action = look(turn, address, { text: null, interrupt: false, takenMs });
  wait(turn, address, working, { kind: 'looking', action, takenMs }, TIMES_TO_TAKE * turn.policy.nudgeTimeoutMs);
}

/** The agent has the question: its time for the answer begins. */
export function nudgeTaken(turn: Turn, { address }: Step, working: Working, action: string): void {
  if (working.nudge?.kind !== 'sending' && working.nudge?.kind !== 'waiting') return;
  wait(turn, address, working, { kind: 'taken', action, at: turn.at }, turn.policy.nudgeTimeoutMs);
}

/** What the look at the agent showed. Returns false for an agent that gave no answer in its time. */
export function nudged(turn: Turn, { address }: Step, working: Working, works: boolean): boolean {
  const { nudge: asked } = working;
  if (works) {
    moreTime(turn, address, working, 'is at work');
    return true;
  }
  if (asked?.kind === 'looking') return false;
  if (asked?.kind === 'sending')
    wait(turn, address, working, { kind: 'waiting', action: asked.action }, TIMES_TO_TAKE * turn.policy.nudgeTimeoutMs);
  return true;
}

/** Half of the stage's time again, for the agent as it is: it is not told, because it would stop for that. */
export function moreTime(
  turn: Turn,
  address: string,
  { action, deadline }: { readonly action: string; readonly deadline: Deadline | null },
  why: string,
): void {
  const ms = measureExtraTime(turn, turn.stage(address));
  turn.changeStep(address, { state: { kind: 'working', action, deadline: inTime(turn, deadline, ms) } });
  turn.note(address, `${nameSeat(turn, address)} ${why}: it has ${formatSpan(ms)} more`);
}

export function measureExtraTime(turn: Turn, { timeoutMs = turn.policy.stageTimeoutMs }: RunStage): number {
  return Math.ceil(timeoutMs / 2);
}

function look(
  turn: Turn,
  address: string,
  asked: { readonly text: string | null; readonly interrupt: boolean; readonly takenMs: number | null },
): string {
  return turn.perform(address, { kind: 'nudge', seat: nameSeat(turn, address), silentMs: turn.policy.nudgeTimeoutMs, ...asked });
}

function wait(turn: Turn, address: string, { action, deadline }: Working, asked: Nudge, forMs: number): void {
  turn.changeStep(address, { state: { kind: 'working', action, deadline: inTime(turn, deadline, forMs), nudge: asked } });
}

/** While the clock of the step stands, as at a usage limit, it stands for the new time too. */
function inTime({ at }: Turn, before: Deadline | null, ms: number): Deadline {
  return before === null || before.leftMs === null ? { at: at + ms, leftMs: null } : { at: before.at, leftMs: ms };
}
