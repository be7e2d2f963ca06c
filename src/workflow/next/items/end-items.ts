import { errorRecord } from '../../../recovery/error-record.ts';
import type { ForEachStage } from '../../definition/plan.ts';
import { valueAt } from '../../definition/values.ts';
import { isOver, type Step } from '../../model/run.ts';
import { type ItemNode, listItems, type RunStage } from '../../model/stage-at.ts';
import { withMark } from '../../model/with-mark.ts';
import { closeQuestions, openEscalation } from '../escalation.ts';
import { fail } from '../failure.ts';
import { finishStep } from '../finish-step.ts';
import { whenUnavailable } from '../level.ts';
import { roleAt } from '../seat.ts';
import type { Turn } from '../turn.ts';
import { collectValues, requirementHolds } from '../values.ts';
import { countItems } from './counts.ts';
import { leaveStages } from './leave-items.ts';

/** What ends an item, or all items, now; undefined while something is under way in it. */
export function ending(turn: Turn, stage: RunStage): (() => void) | undefined {
  if (stage.kind === 'item') {
    const lost = lostStep(turn, stage);
    const isEnded = stage.stages.every((address) => isOver(turn.step(address)));
    return lost !== undefined || isEnded ? () => endItem(turn, stage, lost) : undefined;
  }
  if (stage.kind !== 'for_each' || isAsked(turn, stage.id)) return undefined;
  return listItems(turn.run, stage.id).every((address) => isOver(turn.step(address))) ? () => endItems(turn, stage) : undefined;
}

/** A question about its time needs no answer once all items have ended. */
function isAsked(turn: Turn, address: string): boolean {
  const { state } = turn.step(address);
  return state.kind === 'asking' && turn.run.escalations.find(({ number }) => number === state.escalation)?.type !== 'timeout';
}

/** A stage that the item cannot do without, and that left nothing. What an optional stage or role should have made is only marked. */
function lostStep(turn: Turn, { stages }: ItemNode): Step | undefined {
  return stages
    .map((address) => turn.step(address))
    .find((step) => step.state.kind === 'skipped' && step.state.cause !== 'condition' && isEssential(turn, step.address));
}

function isEssential(turn: Turn, address: string): boolean {
  const stage = turn.stage(address);
  if (stage.kind === 'review' || (stage.kind === 'work' && stage.optional === true)) return false;
  const role = roleAt(stage);
  return role === undefined || whenUnavailable(turn, role) !== 'skip';
}

function endItem(turn: Turn, stage: ItemNode, lost: Step | undefined): void {
  const { id } = stage;
  if (lost !== undefined) leaveStages(turn, id, `${lost.address} was skipped`);
  const steps = stage.stages.map((address) => turn.step(address));
  const marks = steps.flatMap((step) => step.marks).reduce(withMark, turn.step(id).marks);
  const missing = lost ?? (steps.some(isDoneWork(turn)) ? undefined : steps.find(({ state }) => state.kind === 'skipped'));
  turn.changeStep(id, { state: missing === undefined ? { kind: 'done' } : judgeEnd(turn, id, missing), marks, endedMs: turn.at });
  turn.note(id, turn.step(id).state.kind);
}

function isDoneWork(turn: Turn): (step: Step) => boolean {
  return ({ address, state }) => state.kind === 'done' && turn.stage(address).kind !== 'review';
}

/** An item that llmc gave up has failed; one that a person or its conditions left out is skipped. */
function judgeEnd(turn: Turn, id: string, { address, state }: Step): Step['state'] {
  const why = `${address}: ${state.kind === 'skipped' ? state.why : 'nothing'}`;
  if (state.kind === 'skipped' && state.cause !== 'failure') return { kind: 'skipped', why, cause: state.cause };
  const error = errorRecord({ id: `${turn.run.id}.${turn.number()}`, code: 'STAGE_FAILED', message: why, component: id, at: turn.at });
  return { kind: 'failed', error };
}

/** All items have ended. Too few of them done, or too little that they share, is for a person to decide. */
function endItems(turn: Turn, stage: ForEachStage): void {
  closeQuestions(turn, stage.id, 'ended');
  if (requirementHolds(turn.run, stage)) return finishStep(turn, stage.id);
  fail(turn, stage.id, 'unmet', { code: 'STAGE_FAILED', message: belowFloor(turn, stage), asks: 'quality_floor' });
}

function belowFloor(turn: Turn, stage: RunStage): string {
  const words = `what ${stage.id} left does not meet its requirement`;
  if (stage.kind !== 'for_each') return words;
  const { done, total, shared } = countItems(turn.run, stage);
  return `${words}: ${done} of ${total} items done${shared === undefined ? '' : `, ${shared} shared`}`;
}

/** A person decides whether the run goes on with less than a stage requires. What is not there cannot be accepted, only left out. */
export function askAboutFloor(turn: Turn, stage: RunStage): void {
  const { id } = stage;
  const isThere = turn.step(id).result !== null || listItems(turn.run, id).length > 0;
  const options = isThere ? [] : [...(hasList(turn, stage) ? ['restart'] : []), 'skip', 'abort'];
  openEscalation(turn, { type: 'quality_floor', step: id, text: belowFloor(turn, stage), options });
}

/** The stage that makes the list may have been left out. */
function hasList(turn: Turn, stage: RunStage): boolean {
  return stage.kind !== 'for_each' || valueAt(collectValues(turn.run), stage.of) !== undefined;
}
