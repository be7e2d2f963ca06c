import type { ForEachStage } from '../../definition/plan.ts';
import type { Run } from '../../model/run.ts';
import { listItems } from '../../model/stage-at.ts';
import { sharedValues } from './shared-values.ts';

/** What conditions and prompts can say about the items of a `for_each`. */
export interface ItemCounts {
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
  /** Only with `agree_on`: the values that two or more items name. */
  readonly shared?: number;
}

export function countItems(run: Pick<Run, 'plan' | 'steps'>, { id, agreeOn, stages }: ForEachStage): ItemCounts {
  const items = listItems(run, id).flatMap((address) => run.steps[address] ?? []);
  const count = (kind: string) => items.filter(({ state }) => state.kind === kind).length;
  return {
    done: count('done'),
    failed: count('failed'),
    skipped: count('skipped'),
    total: items.length,
    ...(agreeOn !== undefined && { shared: sharedValues(run, items, stages, agreeOn).length }),
  };
}
