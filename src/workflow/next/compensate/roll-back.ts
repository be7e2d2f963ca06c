import { inItem, keyIn } from '../../model/address.ts';
import type { Compensation } from '../../model/compensation.ts';
import { isOver, type Step } from '../../model/run.ts';
import { itemAround, listItems, listSiblings, stagesAfter } from '../../model/stage-at.ts';
import { forgetBreaker } from '../breaker/breaker.ts';
import { rolledBackPrompt } from '../compose-prompt.ts';
import { closeQuestions, openEscalation } from '../escalation.ts';
import { listInside } from '../items/before.ts';
import { bringBack, resetItem } from '../items/bring-back.ts';
import { withoutReopened } from '../items/item-marks.ts';
import { namedItems } from '../items/named-items.ts';
import { openItems } from '../items/open-items.ts';
import { halt } from '../release/halt.ts';
import type { Turn } from '../turn.ts';
import { archive } from './archive.ts';
import { findPart, type RepeatedPart } from './part.ts';
import { listLandings, takePending, undoNext } from './undo.ts';

interface Because {
  readonly reason: string;
  /** What begins again of the `for_each`; without it, the items that the review of `from` names, or else all. */
  readonly part?: RepeatedPart | undefined;
  /** The step that found it: what its review says goes to the agents that begin again. */
  readonly from?: string;
  readonly action?: Compensation['action'];
}

/** Runs a stage, an item or a stage of an item again, with everything after it. */
export function runAgain(turn: Turn, address: string, reason: string): void {
  const part = findPart(turn.run, address);
  rollBack(turn, part?.forEach ?? address, { reason, part });
}

/** Runs a stage and everything after it again. Results are kept in the archive of the run, never deleted. */
export function rollBack(turn: Turn, to: string, { reason, part: wanted, from, action = 'rollback' }: Because): void {
  const feedback = rolledBackPrompt(reason, (from === undefined ? undefined : turn.step(from).result?.verdict?.issues) ?? []);
  const part = wanted ?? namedPart(turn.run, to, from);
  const some = part && [...part.items, ...part.stages];
  const again = [...stagesAfter(turn.run, to), ...(part?.stages ?? [])];
  const steps = stepsAfter(turn, to, part).map((address) => turn.step(address));
  const notified = steps.some(({ address }) => isApproved(turn, address));
  const landings = [...listLandings(turn, steps), ...takePending(turn, steps)];
  archive(turn, { stage: to, reason, action, ...(some !== undefined && { items: some }), notified, landings }, steps);
  for (const step of steps) {
    stop(turn, step);
    if (turn.stage(step.address).circuitBreaker?.scope === 'item') forgetBreaker(turn, turn.stage(step.address));
  }
  // The list is read again when it is their turn; the items that are not named stay.
  const items = again.flatMap((address) => (address === to && part !== undefined ? [] : itemSteps(turn, address)));
  if (items.length > 0) turn.removeSteps(items);
  for (const address of again) verifyAgain(turn, address, again);
  for (const item of part?.items ?? []) resetItem(turn, item);
  const { marks } = turn.step(to);
  for (const address of again)
    turn.changeStep(address, {
      state: { kind: 'waiting' },
      tries: 0,
      tried: [],
      seat: null,
      round: 1,
      moreRounds: 0,
      failures: {},
      feedback: null,
      result: null,
      offer: null,
      marks: [],
      endedMs: null,
    });
  for (const address of part === undefined ? [to] : [...part.items, ...part.stages.slice(0, 1)]) turn.changeStep(address, { feedback });
  // They are made again; a list of which only some items are, still lacks the others.
  turn.regain(steps.flatMap(({ address }) => (address === to && part !== undefined ? [] : [address])));
  for (const address of part?.stages ?? []) reopenItem(turn, address);
  if (part !== undefined) {
    turn.changeStep(to, { marks });
    withoutReopened(turn, to);
  }
  reopenItem(turn, to);
  turn.note(to, `rolled back${some === undefined ? '' : ` (${describePart(part)})`}: ${reason}`);
  if (landings.length > 0) undoNext(turn, to);
}

function namedPart(run: Turn['run'], to: string, from: string | undefined): RepeatedPart | undefined {
  const items = namedItems(run, to, from);
  return items && { forEach: to, items, stages: [] };
}

function describePart(part: RepeatedPart | undefined): string {
  return [...(part?.items ?? []).map(keyIn), ...(part?.stages ?? [])].join(', ');
}

/** A review that was left out looks at the work after all: only another one that stays left out keeps the mark on it. */
function verifyAgain(turn: Turn, address: string, affected: readonly string[]): void {
  const stage = turn.stage(address);
  if (stage.kind !== 'review' || affected.includes(stage.of)) return;
  const isLeftOut = (each: string) => turn.step(each).state.kind === 'skipped' && turn.step(each).marks.includes('unverified');
  const others = listSiblings(turn.run, stage.of).filter((each) => each.kind === 'review' && each.of === stage.of && each.id !== address);
  if (!isLeftOut(address) || others.some(({ id }) => !affected.includes(id) && isLeftOut(id))) return;
  turn.changeStep(stage.of, { marks: turn.step(stage.of).marks.filter((mark) => mark !== 'unverified') });
}

/** A person who approved something decides whether it is undone; until then, the step at this address waits. */
export function rollBackOrAsk(turn: Turn, address: string, to: string, why: string): void {
  const approved = approvedAfter(turn, to, address);
  if (approved.length === 0) return rollBack(turn, to, { reason: why, from: address });
  const landed = approved.filter((one) => turn.stage(one).kind === 'land');
  const alsoMain = landed.length === 0 ? '' : ` ${landed.join(', ')} would be taken back from main.`;
  const text = `${why}. To go back to ${to} would undo what was approved: ${approved.join(', ')}.${alsoMain}`;
  openEscalation(turn, { type: 'compensation', step: address, text, target: to, reason: why });
}

/** What a person has approved or landed of what a rollback would undo. */
export function approvedAfter(turn: Turn, to: string, from?: string): readonly string[] {
  return stepsAfter(turn, to, namedPart(turn.run, to, from)).filter((address) => isApproved(turn, address));
}

/** A stage and everything after it; of its items, only the part. */
function stepsAfter(turn: Turn, to: string, part: RepeatedPart | undefined): readonly string[] {
  const inPart = part && [...part.items.flatMap((item) => [item, ...listInside(turn.run, item)]), ...part.stages];
  return stagesAfter(turn.run, to).flatMap((address) => [address, ...(address === to && inPart ? inPart : itemSteps(turn, address))]);
}

/** Whether a person has approved or landed it. */
export function isApproved(turn: Turn, address: string): boolean {
  const stage = turn.stage(address);
  const { state, result } = turn.step(address);
  if (stage.kind === 'land') return state.kind === 'done' || result?.commit != null;
  return state.kind === 'done' && stage.kind === 'review' && stage.by.kind === 'person';
}

function itemSteps(turn: Turn, address: string): readonly string[] {
  if (turn.stage(address).kind !== 'for_each') return [];
  return listItems(turn.run, address).flatMap((item) => [item, ...listInside(turn.run, item)]);
}

function stop(turn: Turn, step: Step): void {
  const { address, seat, state } = step;
  if (seat !== null && state.kind !== 'waiting' && !isOver(step)) halt(turn, address);
  closeQuestions(turn, address, 'rollback');
  // The try that it waited for does not come.
  if (state.kind === 'cooling') turn.settle(address, 'cancelled');
}

/** The item at or around an address goes on. One that had ended waits for its place in the window, and so do those that need it. */
function reopenItem(turn: Turn, address: string): void {
  const around = itemAround(turn.run, address);
  if (around === undefined) return;
  const { within, key } = around;
  const item = turn.step(inItem(within.id, key));
  if (!isOver(item)) return;
  turn.changeStep(item.address, { state: { kind: 'waiting' }, endedMs: null });
  if (item.state.kind !== 'done') bringBack(turn, item.address);
  turn.regain([item.address]);
  withoutReopened(turn, within.id);
  if (turn.step(within.id).state.kind !== 'asking') return;
  // The question was about all items as they were.
  closeQuestions(turn, within.id, 'rollback');
  openItems(turn, within);
}
