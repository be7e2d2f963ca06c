import { inItem } from '../../model/address.ts';
import { isOver, type Run, type Step } from '../../model/run.ts';
import { itemAround, stageAt } from '../../model/stage-at.ts';

/** The stages before one in the plan that it needs, directly or not, and that have not ended. */
export function openBefore({ plan, steps }: Run, to: string): readonly string[] {
  const needed = new Set([to]);
  // A set gives what is added while it is walked: a stage may need one that comes later in the file.
  for (const id of needed) {
    const stage = plan.stages.find((each) => each.id === id);
    for (const need of stage?.needs ?? []) needed.add(need);
    if (stage?.kind === 'review' || stage?.kind === 'land') needed.add(stage.of);
  }
  needed.delete(to);
  return plan.stages.flatMap(({ id }) => (needed.has(id) && steps[id] !== undefined && !isOver(steps[id]) ? [id] : []));
}

/**
 * What has to begin again so that a stage, an item or a stage of an item does; nothing if it has not begun. An item that needs another one
 * would be left out once more, so what it needs and was not done begins again too.
 */
export function restartable(run: Run, address: string): readonly string[] {
  const stage = stageAt(run, address);
  if (stage === undefined || !hasBegun(run, address)) return [];
  const around = itemAround(run, address);
  if (around === undefined) return [address];
  // What follows the items has used them, or goes on without them.
  const outer = run.steps[around.within.id];
  if (outer !== undefined && isOver(outer)) return [];
  const lost = lostBefore(run, inItem(around.within.id, around.key));
  return [...lost, address].flatMap((each) => firstOf(run, each));
}

function hasBegun({ steps }: Run, address: string): boolean {
  return steps[address] !== undefined && steps[address].state.kind !== 'waiting';
}

/** Where an item begins; an item that was left out before it had stages begins with itself. */
function firstOf(run: Run, address: string): readonly string[] {
  const stage = stageAt(run, address);
  if (stage?.kind !== 'item') return [address];
  const first = stage.stages.filter((each) => hasBegun(run, each) && stageAt(run, each)?.needs.length === 0);
  const item = run.steps[address];
  return first.length === 0 && item !== undefined && isOver(item) ? [address] : first;
}

/** The items that an item which has ended needs, directly or not, and that were not done. */
function lostBefore(run: Run, item: string): readonly string[] {
  const ended = run.steps[item];
  if (ended === undefined || !isOver(ended)) return [];
  const found = new Set([item]);
  for (const each of found) for (const need of stageAt(run, each)?.needs ?? []) if (isLost(run.steps[need])) found.add(need);
  found.delete(item);
  return [...found].toReversed();
}

function isLost(step: Step | undefined): boolean {
  return step !== undefined && isOver(step) && step.state.kind !== 'done';
}
