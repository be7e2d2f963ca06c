import { inItem } from '../../model/address.ts';
import type { Run } from '../../model/run.ts';
import { itemAround, listItems, stageAt } from '../../model/stage-at.ts';

type Steps = Pick<Run, 'plan' | 'steps'>;

/**
 * What a stage comes right after. The first stages of an item come after the items that it waits for, and after what its `for_each` needs;
 * what comes after a `for_each` comes after all of its items.
 */
export function before(run: Steps, address: string): readonly string[] {
  const stage = stageAt(run, address);
  if (stage === undefined) return [];
  const around = itemAround(run, address);
  if (around === undefined || stage.kind === 'item' || stage.needs.length > 0) return stage.needs;
  const after = run.steps[inItem(around.within.id, around.key)]?.item?.after ?? [];
  return [...around.within.needs, ...after.map((key) => inItem(around.within.id, key))];
}

/** The steps that leave something: for an item those of its stages, for a `for_each` those of all items. */
export function listInside(run: Steps, address: string): readonly string[] {
  const stage = stageAt(run, address);
  switch (stage?.kind) {
    case 'for_each':
      return listItems(run, address).flatMap((item) => listInside(run, item));
    case 'item':
      return stage.stages.filter((inner) => Object.hasOwn(run.steps, inner));
    default:
      return [address];
  }
}

/** The commit that the last of these stages left, or the last one before it; null for main. */
export function lastCommit(run: Steps, stages: readonly string[]): string | null {
  return found(run, stages)?.commit ?? null;
}

/** Null: main. */
interface Left {
  readonly commit: string | null;
}

function found(run: Steps, stages: readonly string[]): Left | undefined {
  for (const address of stages.toReversed()) {
    const left = leftBy(run, address) ?? found(run, before(run, chooseFirstStage(run, address)));
    if (left !== undefined) return left;
  }
  return undefined;
}

/** Several items have no commit in common, but once they have landed, main has all of them. */
function leftBy(run: Steps, address: string): Left | undefined {
  const inside = listInside(run, address);
  const isLanded = inside.some((each) => each !== address && stageAt(run, each)?.kind === 'land' && run.steps[each]?.state.kind === 'done');
  if (isLanded) return { commit: null };
  if (stageAt(run, address)?.kind === 'for_each') return undefined;
  const commit = inside.map((each) => run.steps[each]?.result?.commit ?? null).findLast((each) => each !== null);
  return commit == null ? undefined : { commit };
}

/** An item comes after what its first stage comes after. */
function chooseFirstStage(run: Steps, address: string): string {
  const stage = stageAt(run, address);
  return stage?.kind === 'item' ? (stage.stages[0] ?? address) : address;
}
