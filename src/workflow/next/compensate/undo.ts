import type { ErrorRecord } from '../../../recovery/error-record.ts';
import type { Compensation, UndoneLanding } from '../../model/compensation.ts';
import { isOver, type Run, type Step } from '../../model/run.ts';
import { withMark } from '../../model/with-mark.ts';
import { openEscalation } from '../escalation.ts';
import { nameSeat } from '../seat.ts';
import type { Turn } from '../turn.ts';

/** What the steps have put on main, or up for review, the newest first. */
export function listLandings(turn: Turn, steps: readonly Step[]): readonly UndoneLanding[] {
  return steps
    .toSorted((one, other) => (other.endedMs ?? turn.at) - (one.endedMs ?? turn.at))
    .flatMap(({ address, state, result, offer = null }): readonly UndoneLanding[] => {
      const stage = turn.stage(address);
      if (stage.kind !== 'land' || turn.step(stage.of).seat === null) return [];
      const known = { step: address, seat: nameSeat(turn, stage.of), action: null, state: 'pending', revert: null } as const;
      if (state.kind === 'working' || state.kind === 'acting') return [{ ...known, commit: null, offer: state.action }];
      const commit = result?.commit ?? null;
      // What a step without an end of its own has left may be on main too.
      return commit === null && offer === null ? [] : [{ ...known, commit, offer: commit === null ? offer : null }];
    });
}

/** What an earlier rollback of these steps has not taken back yet: the new one does it. */
export function takePending(turn: Turn, steps: readonly Step[]): readonly UndoneLanding[] {
  const stages = new Set(steps.map(({ address }) => address));
  const isPending = ({ state }: UndoneLanding) => state === 'pending';
  const taken = turn.run.compensations.filter(({ stage }) => stages.has(stage)).flatMap(({ landings }) => landings.filter(isPending));
  if (taken.length > 0)
    turn.change({
      compensations: turn.run.compensations.map((one) => ({ ...one, landings: one.landings.filter((each) => !taken.includes(each)) })),
    });
  return taken.map((landing) => ({ ...landing, action: null }));
}

/** The compensation that holds a step until its landings are settled. */
export function holding({ compensations }: Pick<Run, 'compensations'>, address: string): Compensation | undefined {
  return compensations.find(({ stage, landings }) => stage === address && landings.some(({ state }) => state === 'pending'));
}

/** Takes the next landing back; the stage begins again when none is left. One at a time: a later one may build on an earlier one. */
export function undoNext(turn: Turn, address: string): void {
  const next = holding(turn.run, address)?.landings.find(({ state }) => state === 'pending');
  if (next === undefined) return turn.changeStep(address, { state: { kind: 'waiting' } });
  turn.act(address, 'undo', { kind: 'undo', seat: next.seat, commit: next.commit, offer: next.offer });
  const { state } = turn.step(address);
  if (state.kind === 'acting') change(turn, next, { action: state.action });
}

/** The run ended, or its step was left out, while a landing was being taken back: what became of it belongs in its history all the same. */
export function undoneLate(turn: Turn, action: string, revert: string | null): void {
  const landing = turn.run.compensations
    .flatMap(({ landings }) => landings)
    .find((one) => one.state === 'pending' && one.action === action);
  if (landing === undefined) return;
  change(turn, landing, { state: 'undone', revert });
  turn.note(landing.step, undoneWords(landing, revert));
}

/** The landing that was being taken back is not on main any more. */
export function undone(turn: Turn, address: string, revert: string | null): void {
  const landing = settle(turn, address, { state: 'undone', revert });
  if (landing === undefined) return;
  turn.note(landing.step, undoneWords(landing, revert));
  undoNext(turn, address);
}

function undoneWords({ commit }: UndoneLanding, revert: string | null): string {
  if (commit === null && revert === null) return 'its work is not offered for review any more';
  if (revert === null) return `${short(commit)} was already taken back`;
  return `${short(commit)} is taken back by ${short(revert)}`;
}

/** Main has the work still, so the run does not go on as if it had not: a person decides, for as long as they like. */
export function undoRefused(turn: Turn, address: string, error: ErrorRecord): void {
  const landing = holding(turn.run, address)?.landings.find(({ state }) => state === 'pending');
  turn.settle(address, 'failed again');
  turn.record({ kind: 'error', error: { ...error, component: address, strategy: 'ask' } });
  turn.changeStep(address, { unsettled: true });
  const what = landing?.commit == null ? `the landing of ${landing?.step ?? address}` : `${short(landing.commit)} (${landing.step})`;
  const text = `To go back to ${address}, ${what} must be taken back, and that failed: ${error.message}`;
  openEscalation(turn, { type: 'compensation', step: address, text, target: address });
}

/** A person leaves the landing on main. The stage begins again on top of it. */
export function keepLanding(turn: Turn, address: string): void {
  const landing = settle(turn, address, { state: 'kept' });
  if (landing === undefined) return;
  turn.changeStep(address, { marks: withMark(turn.step(address).marks, 'landing kept') });
  turn.warn(`${short(landing.commit)}, which ${landing.step} landed, stays.`);
  undoNext(turn, address);
}

/** A recovery goes on where the run had ended. A rollback that it begins itself is under way, and what stays left out begins nothing. */
export function undoRest(turn: Turn): void {
  for (const { stage } of turn.run.compensations) {
    const step = turn.run.steps[stage];
    if (step !== undefined && !isOver(step) && step.state.kind !== 'acting' && holding(turn.run, stage) !== undefined)
      undoNext(turn, stage);
  }
}

/** Returns the first landing that was pending. */
function settle(turn: Turn, address: string, changes: Partial<UndoneLanding>): UndoneLanding | undefined {
  const landing = holding(turn.run, address)?.landings.find(({ state }) => state === 'pending');
  if (landing !== undefined) change(turn, landing, changes);
  return landing;
}

function change(turn: Turn, landing: UndoneLanding, changes: Partial<UndoneLanding>): void {
  const changed = (one: UndoneLanding) => (one === landing ? { ...one, ...changes } : one);
  turn.change({ compensations: turn.run.compensations.map((one) => ({ ...one, landings: one.landings.map(changed) })) });
}

function short(commit: string | null): string {
  return commit?.slice(0, 12) ?? 'it';
}
