import { keyIn } from '../../model/address.ts';
import type { Run } from '../../model/run.ts';
import { ifInconsistent, itemAround, listItems, type RunStage, stageAt } from '../../model/stage-at.ts';

type Steps = Pick<Run, 'plan' | 'steps'>;

/** The keys that a review can name: those of the items that it may send the run back to. */
export function keysToName(run: Steps, stage: RunStage): readonly string[] {
  if (stage.kind !== 'review' || itemAround(run, stage.id) !== undefined) return [];
  const reactions = [...Object.values(stage.onFailure), ifInconsistent(run, stage)].flatMap((each) => each?.steps ?? []);
  const targets = new Set(reactions.flatMap((step) => (step.kind === 'rollback' ? [step.to] : [])));
  return [...targets].filter((to) => stageAt(run, to)?.kind === 'for_each').flatMap((to) => listItems(run, to).map(keyIn));
}

/**
 * The items of a `for_each` that the review of a step has named, with those that wait for them. Undefined: it named none, so all of them
 * are meant.
 */
export function namedItems(run: Steps, forEach: string, from: string | undefined): readonly string[] | undefined {
  const named = (from === undefined ? undefined : run.steps[from]?.result?.verdict?.items) ?? [];
  const items = listItems(run, forEach).filter((item) => named.includes(keyIn(item)));
  return items.length === 0 ? undefined : withLater(run, forEach, items);
}

/** These items with those that wait for them, directly or not: they stand on what these left. */
export function withLater(run: Steps, forEach: string, some: readonly string[]): readonly string[] {
  const items = listItems(run, forEach);
  const found = new Set(some.map(keyIn));
  // A set gives what is added while it is walked.
  for (const key of found) for (const item of items) if (run.steps[item]?.item?.after.includes(key)) found.add(keyIn(item));
  return items.filter((item) => found.has(keyIn(item)));
}
