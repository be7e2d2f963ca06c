import { inItem } from '../../model/address.ts';
import { isOver, type Run, type Step } from '../../model/run.ts';
import { itemAround, stageAt, stagesAfter } from '../../model/stage-at.ts';
import { withLater } from '../items/named-items.ts';

type Steps = Pick<Run, 'plan' | 'steps'>;

/** What begins again of a `for_each`, while its other items stay. */
export interface RepeatedPart {
  readonly forEach: string;
  /** The addresses of the items that begin again as a whole. */
  readonly items: readonly string[];
  /** Stages of one item; the stages before them stay. Empty if the whole item begins again. */
  readonly stages: readonly string[];
}

/**
 * The part that begins again with an item, or with a stage of one: also the items that wait for it, because they stand on what it left, and
 * those that it lacks, because without them it would be left out once more. Undefined for a stage of the plan.
 */
export function findPart(run: Steps, address: string): RepeatedPart | undefined {
  const around = itemAround(run, address);
  if (around === undefined) return undefined;
  const { id } = around.within;
  const item = inItem(id, around.key);
  const isWhole = item === address;
  const again = withLater(run, id, [...(isWhole ? lostBefore(run, item) : []), item]);
  return {
    forEach: id,
    // What a person left out stays out.
    items: again.filter((each) => (each === item ? isWhole : !isLeftByPerson(run.steps[each]))),
    stages: isWhole ? [] : stagesAfter(run, address).filter((each) => run.steps[each] !== undefined),
  };
}

/** The items that an item which has ended needs, directly or not, and that were not done. */
function lostBefore(run: Steps, item: string): readonly string[] {
  const ended = run.steps[item];
  if (ended === undefined || !isOver(ended)) return [];
  const found = new Set([item]);
  // A set gives what is added while it is walked.
  for (const each of found) for (const need of stageAt(run, each)?.needs ?? []) if (isLost(run.steps[need])) found.add(need);
  found.delete(item);
  return [...found];
}

function isLost(step: Step | undefined): boolean {
  return step !== undefined && isOver(step) && step.state.kind !== 'done';
}

function isLeftByPerson(step: Step | undefined): boolean {
  return step?.state.kind === 'skipped' && step.state.cause === 'person';
}
