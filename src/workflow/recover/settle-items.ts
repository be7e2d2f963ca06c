import type { ForEachStage } from '../definition/plan.ts';
import { inItem } from '../model/address.ts';
import { isOver, type Run, type Step } from '../model/run.ts';
import { listItems } from '../model/stage-at.ts';

type Steps = Run['steps'];

/**
 * The steps of a recovery, so that items fit to what is around them. A step that waits in an item that has ended, or an item that waits
 * in a `for_each` that has, would wait for ever.
 */
export function settleItems({ plan }: Pick<Run, 'plan'>, steps: Steps): Steps {
  return plan.stages
    .filter((stage) => stage.kind === 'for_each')
    .reduce((settled, stage) => inWindow(stage, withStages(stage, reopened(stage, endedWhole(stage, settled)))), steps);
}

function endedWhole(stage: ForEachStage, steps: Steps): Steps {
  const open = itemsIn(stage, steps).flatMap((item) => (isOver(item) ? openInside(stage, steps, item) : []));
  const left = { kind: 'skipped', why: 'its item had ended', cause: 'condition' } as const;
  return replaced(
    steps,
    open.map((step) => ({ ...step, state: left })),
  );
}

function reopened({ id }: ForEachStage, steps: Steps): Steps {
  const step = steps[id];
  if (step === undefined || !isOver(step) || itemsIn({ id }, steps).every(isOver)) return steps;
  return replaced(steps, [{ ...step, state: { kind: 'under_way', deadline: null }, endedMs: null }]);
}

/** An item that had begun and was reset since has no stages: it gets them when it begins. */
function withStages(stage: ForEachStage, steps: Steps): Steps {
  const isWhole = ({ item }: Step) => stage.stages.every(({ id }) => steps[inItem(id, item?.key ?? '')] !== undefined);
  const bare = itemsIn(stage, steps).filter((item) => item.state.kind === 'under_way' && !isWhole(item));
  return replaced(
    steps,
    bare.map((item) => ({ ...item, state: WAITING })),
  );
}

/** Items beyond the window wait for a place, with what they have. */
function inWindow(stage: ForEachStage, steps: Steps): Steps {
  const late = itemsIn(stage, steps)
    .filter(({ state }) => state.kind === 'under_way')
    .slice(stage.maxParallel);
  return replaced(
    steps,
    late.flatMap((item) => [
      { ...item, state: WAITING },
      ...openInside(stage, steps, item).map((step) => ({ ...step, state: WAITING, seat: null, tried: [] })),
    ]),
  );
}

const WAITING = { kind: 'waiting' } as const;

function itemsIn({ id }: Pick<ForEachStage, 'id'>, steps: Steps): readonly Step[] {
  return listItems({ steps }, id).flatMap((address) => steps[address] ?? []);
}

function openInside({ stages }: ForEachStage, steps: Steps, { item }: Step): readonly Step[] {
  return stages.flatMap(({ id }) => steps[inItem(id, item?.key ?? '')] ?? []).filter((step) => !isOver(step));
}

function replaced(steps: Steps, changed: readonly Step[]): Steps {
  return { ...steps, ...Object.fromEntries(changed.map((step) => [step.address, step])) };
}
