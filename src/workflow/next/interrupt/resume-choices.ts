import { isOver, type Run } from '../../model/run.ts';
import { findPart } from '../compensate/part.ts';

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

/** What begins again with a stage, an item or a stage of an item, without what only follows it; nothing if it has not begun. */
export function restartable(run: Run, address: string): readonly string[] {
  const step = run.steps[address];
  if (step === undefined || step.state.kind === 'waiting') return [];
  const part = findPart(run, address);
  return part === undefined ? [address] : [...part.items, ...part.stages.slice(0, 1)];
}
