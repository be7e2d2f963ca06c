import type { ForEachStage } from '../../definition/plan.ts';
import { isOver, type Step } from '../../model/run.ts';
import { type ItemNode, listItems, type RunStage } from '../../model/stage-at.ts';
import { withMark } from '../../model/with-mark.ts';
import { closeQuestions, openQuestion } from '../escalation.ts';
import { finishStep } from '../finish-step.ts';
import { askAboutFloor, ending } from '../items/end-items.ts';
import { marksIn } from '../items/item-marks.ts';
import { leaveItem } from '../items/leave-items.ts';
import { describeLoss } from '../loss.ts';
import { halt } from '../release/halt.ts';
import { skip } from '../skip.ts';
import type { Turn } from '../turn.ts';
import { meetsConditions, requirementHolds } from '../values.ts';
import { leftOut } from './left-out.ts';
import { openBefore } from './resume-choices.ts';

/**
 * Leaves out what a stage still waits for, and nothing that is there: a result stays without its check, marked `unverified`. A stage that
 * is left below its `require` asks a person first.
 */
export function skipTo(turn: Turn, to: string): void {
  const open = openBefore(turn.run, to);
  const why = `a person skipped to ${to}`;
  // What a person answered in the pause may have ended an item.
  for (const address of open) endAnswered(turn, turn.stage(address));
  const before = { ...turn.run.steps };
  for (const address of open) if (!isOver(turn.step(address))) leaveStage(turn, turn.stage(address), why);
  warn(turn, before, why);
}

function endAnswered(turn: Turn, stage: RunStage): void {
  if (stage.kind !== 'for_each') return;
  for (const address of listItems(turn.run, stage.id))
    if (turn.step(address).state.kind === 'under_way') ending(turn, turn.stage(address))?.();
}

function leaveStage(turn: Turn, stage: RunStage, why: string): void {
  const { id } = stage;
  if (stage.kind === 'review') return leaveReview(turn, id, why);
  if (stage.kind === 'for_each' && listItems(turn.run, id).length > 0) return leaveAllItems(turn, stage, why);
  const step = turn.step(id);
  if (isBeingCollected(step)) return;
  if (step.result !== null) {
    keep(turn, step);
    return requirementHolds(turn.run, stage) ? undefined : askAboutFloor(turn, stage);
  }
  if (stage.require === undefined || !meetsConditions(turn.run, stage)) return skip(turn, id, why, 'partial', 'person');
  closeQuestions(turn, id, 'skip');
  if (step.seat !== null && step.state.kind !== 'waiting') halt(turn, id);
  askAboutFloor(turn, stage);
}

/** What it should have checked stays, if it is there. */
function leaveReview(turn: Turn, address: string, why: string): void {
  const stage = turn.stage(address);
  if (stage.kind !== 'review') return;
  const work = turn.step(stage.of);
  skip(turn, address, why, work.state.kind === 'done' || isBeingCollected(work) ? 'unverified' : undefined, 'person');
}

/** Its agent has ended its turn: what it left is stored first. A result that does not meet its requirement was stored before. */
function isBeingCollected({ state, failures }: Step): boolean {
  return state.kind === 'cooling' && state.redo.kind === 'collect' && failures.unmet === undefined;
}

/** Work that was sent back, or that a person is asked about: its last result counts. */
function keep(turn: Turn, { address, seat, state }: Step): void {
  if (seat !== null && state.kind !== 'waiting') halt(turn, address);
  closeQuestions(turn, address, 'skip');
  turn.settle(address, state.kind === 'cooling' ? 'cancelled' : 'skipped');
  turn.changeStep(address, { state: { kind: 'done' }, endedMs: turn.at });
  turn.note(address, 'its last result stays');
}

function leaveAllItems(turn: Turn, stage: ForEachStage, why: string): void {
  const { id } = stage;
  const items = listItems(turn.run, id).filter((address) => !isOver(turn.step(address)));
  for (const address of items) leaveRest(turn, turn.stage(address), why);
  const left = items.filter((address) => turn.step(address).state.kind === 'skipped');
  const marks = items.flatMap((address) => (left.includes(address) ? ['partial'] : marksIn(turn, address)));
  turn.changeStep(id, { marks: marks.reduce(withMark, turn.step(id).marks) });
  const isDone = items.every((address) => isOver(turn.step(address)));
  if (isDone && !requirementHolds(turn.run, stage)) return askWithout(turn, stage, left);
  closeQuestions(turn, id, 'skip');
  if (isDone && left.length > 0) turn.settle(id, 'skipped');
  if (isDone) return finishStep(turn, id, left.length > 0 ? 'partial' : 'whole');
  turn.changeStep(id, { state: { kind: 'under_way', deadline: null } });
}

/** A person still decides about the items that were left out, so they may be tried again. The same question is not asked twice. */
function askWithout(turn: Turn, { id }: ForEachStage, left: readonly string[]): void {
  for (const address of left) {
    const { state } = turn.step(address);
    if (state.kind === 'skipped') turn.changeStep(address, { state: { ...state, cause: 'condition' } });
  }
  if (openQuestion(turn.run, id, 'quality_floor') !== undefined) return;
  closeQuestions(turn, id, 'skip');
  askAboutFloor(turn, turn.stage(id));
}

/** An item is done with what is there, unless something but a check is missing. */
function leaveRest(turn: Turn, item: RunStage, why: string): void {
  if (item.kind !== 'item') return;
  const steps = () => item.stages.flatMap((address) => turn.run.steps[address] ?? []);
  const open = () => steps().filter((step) => !isOver(step) && turn.stage(step.address).kind !== 'review');
  for (const step of open()) if (step.result !== null && requirementHolds(turn.run, turn.stage(step.address))) keep(turn, step);
  for (const step of steps()) if (!isOver(step)) leaveReview(turn, step.address, why);
  if (!hasBegun(item, steps()) || !open().every(isBeingCollected)) return leaveItem(turn, item.id, why, 'person');
  ending(turn, item)?.();
}

function hasBegun({ stages }: ItemNode, steps: readonly Step[]): boolean {
  return steps.length === stages.length;
}

/** A line that a person reads; `llmc report` has every stage. */
const MOST_NAMED = 8;

function warn(turn: Turn, before: Turn['run']['steps'], why: string): void {
  const { left, unverified } = leftOut(before, turn.run);
  if (left.length > 0)
    turn.warn(`${why}: ${named(left)} left out, so the results may have gaps`, ...left.map((address) => describeLoss(turn, address)));
  if (unverified.length > 0) turn.warn(`${why}: ${named(unverified)} ${unverified.length === 1 ? 'is' : 'are'} unverified`);
}

function named(addresses: readonly string[]): string {
  const more = addresses.length - MOST_NAMED;
  return more <= 0 ? addresses.join(', ') : `${addresses.slice(0, MOST_NAMED).join(', ')} and ${more} more`;
}
