import { hashValue } from '../../definition/digest.ts';
import type { Plan, Stage } from '../../definition/plan.ts';
import { inItem, keyIn, splitAddress } from '../../model/address.ts';
import { isMaybeOnMain, type Run } from '../../model/run.ts';
import { listItems, stagesAfter, stagesIn } from '../../model/stage-at.ts';
import { roleAt } from '../seat.ts';
import type { ChangeRefusal, PlanChange } from './model.ts';

export function listRefusals(
  run: Run,
  plan: Plan,
  change: Pick<PlanChange, 'stages' | 'lists' | 'removed'>,
  causes: ReadonlySet<string>,
): readonly ChangeRefusal[] {
  if (plan.name !== run.plan.name) return [{ kind: 'other_workflow', name: plan.name }];
  return [
    ...inputRefusals(run, plan),
    ...landedRefusals(run, change.stages, causes),
    ...itemRefusals(run, plan, change.stages),
    ...offeredRefusals(run, change.removed),
  ];
}

/** A run keeps the inputs that it was started with. */
function inputRefusals({ plan: { inputs: before }, inputs: values }: Run, { inputs: after }: Plan): readonly ChangeRefusal[] {
  const known = Object.entries(before).flatMap(([input, declared]): readonly ChangeRefusal[] => {
    const now = Object.hasOwn(after, input) ? after[input] : undefined;
    if (now === undefined) return [{ kind: 'input_gone', input }];
    return hashValue({ ...declared, optional: true }) === hashValue({ ...now, optional: true }) ? [] : [{ kind: 'input_changed', input }];
  });
  const missing = Object.entries(after).flatMap(([input, { optional }]): readonly ChangeRefusal[] => {
    const wasRequired = Object.hasOwn(before, input) && before[input]?.optional === false;
    return optional || wasRequired || Object.hasOwn(values, input) ? [] : [{ kind: 'input_missing', input }];
  });
  return [...known, ...missing];
}

function landedRefusals(run: Run, moved: readonly string[], causes: ReadonlySet<string>): readonly ChangeRefusal[] {
  return run.plan.stages.flatMap((stage): readonly ChangeRefusal[] => {
    if (!moved.includes(stage.id)) return [];
    const because = chooseCause(run.plan.stages, stage, causes);
    return landedIn(run, stage).map((landed) => ({ kind: 'landed', landed, because }));
  });
}

/** An item whose work has landed stays as it is. Its landing and its worker must still be in the plan, so that it can be taken back. */
function itemRefusals(run: Run, plan: Plan, moved: readonly string[]): readonly ChangeRefusal[] {
  return run.plan.stages.flatMap((stage) => {
    if (stage.kind !== 'for_each' || moved.includes(stage.id)) return [];
    const list = plan.stages.find(({ id }) => id === stage.id);
    const now = list?.kind === 'for_each' ? list.stages : [];
    return stage.stages.flatMap((land): readonly ChangeRefusal[] => {
      const [landed] = listItems(run, stage.id)
        .map((item) => inItem(land.id, keyIn(item)))
        .filter((address) => land.kind === 'land' && isOnMain(run, address));
      if (landed === undefined || land.kind !== 'land') return [];
      const same = now.find(({ id }) => id === land.id);
      const because = same?.kind === 'land' && same.of === land.of ? land.of : land.id;
      const isThere = because === land.of && roleIn(now, land.of) === roleIn(stage.stages, land.of);
      return isThere ? [] : [{ kind: 'landed', landed, because }];
    });
  });
}

/** What is offered for review is withdrawn by the stage that begins again; one that is gone cannot do that. */
function offeredRefusals(run: Run, removed: readonly string[]): readonly ChangeRefusal[] {
  return stagesIn(run)
    .filter(({ id, kind }) => kind === 'land' && ['working', 'acting'].includes(run.steps[id]?.state.kind ?? ''))
    .flatMap(({ id: offered }): readonly ChangeRefusal[] => {
      const gone = Object.keys(run.steps).find(
        (address) => removed.includes(splitAddress(address).stage) && stagesAfter(run, address).includes(offered),
      );
      return gone === undefined ? [] : [{ kind: 'offered', offered, gone: splitAddress(gone).stage }];
    });
}

function roleIn(stages: readonly Stage[], id: string): string | undefined {
  const stage = stages.find((each) => each.id === id);
  return stage && roleAt(stage);
}

function isOnMain({ steps }: Run, address: string): boolean {
  const step = steps[address];
  return step !== undefined && isMaybeOnMain(step);
}

function landedIn(run: Run, stage: Stage): readonly string[] {
  if (stage.kind === 'land') return isOnMain(run, stage.id) ? [stage.id] : [];
  if (stage.kind !== 'for_each') return [];
  const lands = stage.stages.filter(({ kind }) => kind === 'land');
  return listItems(run, stage.id).flatMap((item) =>
    lands.map(({ id }) => inItem(id, keyIn(item))).filter((address) => isOnMain(run, address)),
  );
}

/** The stage itself if it changed, else the nearest one before it that did. */
function chooseCause(stages: readonly Stage[], stage: Stage, causes: ReadonlySet<string>): string {
  const open = [stage];
  for (const each of open) {
    if (causes.has(each.id)) return each.id;
    for (const need of each.needs) {
      const before = stages.find(({ id }) => id === need);
      if (before !== undefined && !open.includes(before)) open.push(before);
    }
  }
  return stage.id;
}
