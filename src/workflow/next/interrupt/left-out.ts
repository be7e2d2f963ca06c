import { inItem } from '../../model/address.ts';
import type { Run } from '../../model/run.ts';
import { itemAround, stageAt } from '../../model/stage-at.ts';

/** What a run goes on without. */
export interface LeftOut {
  /** Stages and items without a result that counts. */
  readonly left: readonly string[];
  /** Results that stay although nobody checked them. */
  readonly unverified: readonly string[];
  /** Stages below their `require`: a person is asked first. */
  readonly asks: readonly string[];
}

/** Compares the steps of a run before and after it skips ahead. Reviews are named by their work, stages of a lost item by the item. */
export function leftOut(before: Run['steps'], after: Pick<Run, 'plan' | 'steps'>): LeftOut {
  const changed = Object.values(after.steps).filter((step) => step !== before[step.address]);
  const isNow = (address: string, kind: string) => before[address]?.state.kind !== kind && after.steps[address]?.state.kind === kind;
  const isInLost = (address: string) => {
    const around = itemAround(after, address);
    const item = around && inItem(around.within.id, around.key);
    return item !== undefined && item !== address && isNow(item, 'skipped');
  };
  const named = changed.filter(({ address }) => !isInLost(address));
  const isWork = (address: string) => stageAt(after, address)?.kind === 'work';
  return {
    left: named.flatMap(({ address }) => (isNow(address, 'skipped') && stageAt(after, address)?.kind !== 'review' ? [address] : [])),
    unverified: changed.flatMap(({ address, state, marks }) =>
      isWork(address) && state.kind === 'done' && marks.includes('unverified') && before[address]?.marks.includes('unverified') !== true
        ? [address]
        : [],
    ),
    asks: changed.flatMap(({ address }) => (isNow(address, 'asking') ? [address] : [])),
  };
}
