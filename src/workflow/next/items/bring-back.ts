import { newStep } from '../../model/new-step.ts';
import { itemAround, listItems } from '../../model/stage-at.ts';
import { leaveWorkers } from '../seat.ts';
import type { Turn } from '../turn.ts';
import { listInside } from './before.ts';

/** Makes an item what it was before it began. */
export function resetItem(turn: Turn, address: string): void {
  const { item } = turn.step(address);
  const stage = turn.stage(address);
  const inside = stage.kind === 'item' ? stage.stages : [];
  leaveWorkers(turn, inside);
  turn.removeSteps(inside);
  turn.regain([address, ...inside]);
  turn.putStep({ ...newStep(address), item: item && { ...item, recoveries: 0 } });
}

/** Resets the items that were left out because this one was not done, directly or not: they wait for it again. */
export function bringBack(turn: Turn, item: string): void {
  const around = itemAround(turn.run, item);
  if (around === undefined) return;
  const left = listItems(turn.run, around.within.id).filter((address) => isLeftOut(turn, address));
  const keys = new Set([around.key]);
  // A set gives what is added while it is walked.
  for (const key of keys)
    for (const address of left) {
      const own = turn.step(address).item;
      if (own === null || keys.has(own.key) || !own.after.includes(key)) continue;
      keys.add(own.key);
      resetItem(turn, address);
      turn.note(address, `waits for ${item} again`);
    }
}

/** An item with work of its own was left out for a reason of its own. */
function isLeftOut(turn: Turn, address: string): boolean {
  const { state } = turn.step(address);
  if (state.kind !== 'skipped' || state.cause !== 'condition') return false;
  return listInside(turn.run, address).every((each) => turn.step(each).state.kind === 'skipped');
}
