import type { ForEachStage } from '../../definition/plan.ts';
import { valueAt } from '../../definition/values.ts';
import { inItem } from '../../model/address.ts';
import { newStep } from '../../model/new-step.ts';
import { isOver, type Step } from '../../model/run.ts';
import { type ItemNode, listItems } from '../../model/stage-at.ts';
import { forgetBreaker } from '../breaker/breaker.ts';
import { archive } from '../compensate/archive.ts';
import { isApproved, rollBackOrAsk } from '../compensate/roll-back.ts';
import { listLandings, takePending, undoNext } from '../compensate/undo.ts';
import { fail } from '../failure.ts';
import { describeLoss } from '../loss.ts';
import { skip } from '../skip.ts';
import type { Turn } from '../turn.ts';
import { collectValues } from '../values.ts';
import { listInside } from './before.ts';
import { resetItem } from './bring-back.ts';
import { withoutReopened } from './item-marks.ts';
import { leaveItem } from './leave-items.ts';
import { openItems } from './open-items.ts';
import { isDoneBefore, readItems } from './read-items.ts';

/** Reads the list, and gives each item its step. The list is read once: what its file becomes later does not change the items. */
export function startItems(turn: Turn, stage: ForEachStage): void {
  const { id, of } = stage;
  const list = valueAt(collectValues(turn.run), of);
  if (list === undefined && !mustBeThere(turn, stage)) return skip(turn, id, `there is no ${of}`);
  const read = readItems(stage, list);
  if (read.kind === 'wrong')
    return fail(turn, id, 'unmet', {
      code: 'STAGE_FAILED',
      message: `the items of ${id} cannot be used: ${read.problems[0] ?? of}`,
      asks: 'unmet',
      details: read.problems.join('\n'),
    });
  // A review has sent back some of the items: those wait already, and the others stay as they ended.
  const stays = read.items.filter(({ key }) => turn.run.steps[inItem(id, key)] !== undefined);
  const begin = read.items.filter((item) => !stays.includes(item));
  const before = begin.filter((item) => isDoneBefore(stage, item));
  for (const item of begin) {
    const step = { ...newStep(inItem(id, item.key)), item: { ...item, recoveries: 0 } };
    turn.putStep(before.includes(item) ? { ...step, state: { kind: 'done' }, startedMs: turn.at, endedMs: turn.at } : step);
  }
  const words = before.length === 0 ? '' : `, ${before.length} of them done before`;
  if (stays.length === 0) turn.note(id, `${begin.length} ${begin.length === 1 ? 'item' : 'items'}${words}`);
  openItems(turn, stage);
}

/** A list is missing on purpose if its input is optional, or if the stage that makes it was skipped. */
function mustBeThere(turn: Turn, { of, needs }: ForEachStage): boolean {
  if (of.startsWith('inputs.')) return turn.run.plan.inputs[of.split('.')[1] ?? '']?.optional !== true;
  return !needs.some((need) => turn.step(need).state.kind === 'skipped');
}

/**
 * Tries again what did not succeed; all items if each of them did, because then they do not agree. What is under way goes on. A person
 * decides whether something that they approved is undone.
 */
export function retryItems(turn: Turn, stage: ForEachStage): void {
  const items = listItems(turn.run, stage.id);
  if (items.length === 0) return startItems(turn, stage);
  const lost = items.filter((address) => mayRunAgain(turn.step(address)));
  const isAll = lost.length === 0 && items.every((address) => isOver(turn.step(address)));
  const again = isAll ? items.filter((address) => turn.step(address).state.kind === 'done' && !wasDoneBefore(turn, stage, address)) : lost;
  const steps = again.flatMap((address) => listInside(turn.run, address)).map((address) => turn.step(address));
  if (steps.some(({ address }) => isApproved(turn, address))) return rollBackOrAsk(turn, stage.id, stage.id, 'the items are tried again');
  const landings = [...listLandings(turn, steps), ...takePending(turn, steps)];
  if (landings.length > 0 || steps.some(({ result }) => result !== null))
    archive(turn, { stage: stage.id, reason: 'the items are tried again', action: 'retry', notified: false, landings }, steps);
  for (const { address } of steps) if (turn.stage(address).circuitBreaker?.scope === 'item') forgetBreaker(turn, turn.stage(address));
  for (const address of again) resetItem(turn, address);
  withoutReopened(turn, stage.id);
  turn.note(stage.id, `${again.length} of ${items.length} items again`);
  openItems(turn, stage);
  // An item that was left out may have work that waits for a person's review: they must not land it beside what is made again.
  if (landings.length > 0) undoNext(turn, stage.id);
}

function wasDoneBefore(turn: Turn, stage: ForEachStage, address: string): boolean {
  const { item } = turn.step(address);
  return item !== null && isDoneBefore(stage, item);
}

/** What a person left out stays out. */
function mayRunAgain({ state }: Step): boolean {
  return state.kind === 'failed' || (state.kind === 'skipped' && state.cause !== 'person');
}

/** Whether another item may begin. */
export function hasRoom(turn: Turn, forEach: ForEachStage): boolean {
  if (turn.step(forEach.id).state.kind !== 'under_way') return false;
  const open = listItems(turn.run, forEach.id).filter((address) => turn.step(address).state.kind === 'under_way');
  return open.length < forEach.maxParallel;
}

/** The stages of the item get their steps. An item needs what the items before it leave: without one of them it is left out. */
export function startItem(turn: Turn, { id, needs, stages, within }: ItemNode): void {
  const missing = needs.find((need) => isOver(turn.step(need)) && turn.step(need).state.kind !== 'done');
  if (missing !== undefined) {
    leaveItem(turn, id, `${missing} was not done`, 'condition');
    return turn.lose(describeLoss(turn, id));
  }
  turn.changeStep(id, { state: { kind: 'under_way', deadline: null } });
  // Why the item is made again, if it is: for a reason of its own, or with all items.
  const feedback = turn.step(id).feedback ?? turn.step(within).feedback;
  // An item that goes on with a changed workflow, or that a person restarts in part, has the stages that stay.
  for (const address of stages)
    if (turn.run.steps[address] === undefined)
      turn.putStep({ ...newStep(address), ...(turn.stage(address).kind === 'work' && { feedback }) });
}
