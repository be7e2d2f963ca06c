import type { ForEachStage, Plan, Stage } from '../../definition/plan.ts';
import { inItem, keyIn } from '../../model/address.ts';
import { isMaybeOnMain, isOver, type Run, type Step } from '../../model/run.ts';
import { listItems } from '../../model/stage-at.ts';
import type { ListChange, PlanChange } from './model.ts';
import { listRefusals } from './refusals.ts';
import { isSameSettings, isSameWork, otherRoles } from './same-work.ts';

/** Compares the plan of a run with another one. Pure: a dry run prints this very result. */
export function planChange(run: Run, plan: Plan): PlanChange {
  const before = run.plan;
  const changed = changedIn(before.stages, before, plan.stages, plan);
  const lists = before.stages.flatMap((stage) => {
    const now = plan.stages.find(({ id }) => id === stage.id);
    if (stage.kind !== 'for_each' || now?.kind !== 'for_each' || changed.has(stage.id)) return [];
    return listChange(run, stage, now, changedIn(stage.stages, before, now.stages, plan)) ?? [];
  });
  // A list that was left out is read again for changed stages.
  const reread = lists.filter(({ forEach }) => isSkipped(run.steps[forEach])).map(({ forEach }) => forEach);
  const moved = new Set([...changed, ...reread]);
  const reopened = lists.filter(({ items }) => items.length > 0).map(({ forEach }) => forEach);
  const stages = following(before.stages, moved, new Set([...moved, ...reopened]));
  const now = idsIn(plan);
  const inside = before.stages.flatMap((stage) => innerChanges(stage, before, plan));
  const change = {
    changed: [...changed, ...inside].filter((id) => now.includes(id)),
    stages,
    lists: lists.filter(({ forEach }) => !stages.includes(forEach)),
    added: now.filter((id) => !idsIn(before).includes(id)),
    removed: idsIn(before).filter((id) => !now.includes(id)),
    settings: settingsIn(before.stages, before, plan.stages, plan),
    roles: otherRoles(before, plan, ({ agent, model, fallback, whenUnavailable }) => [agent, model, fallback, whenUnavailable]),
  };
  return { ...change, refusals: listRefusals(run, plan, change, moved) };
}

/** The stages of a list that another list does not have, or has with other work. */
function changedIn(before: readonly Stage[], in1: Plan, after: readonly Stage[], in2: Plan): ReadonlySet<string> {
  const now = new Map(after.map((stage) => [stage.id, stage]));
  return new Set(
    before.flatMap((stage) => {
      const other = now.get(stage.id);
      return other !== undefined && isSameWork(stage, in1, other, in2) ? [] : [stage.id];
    }),
  );
}

function innerChanges(stage: Stage, before: Plan, plan: Plan): readonly string[] {
  const now = plan.stages.find(({ id }) => id === stage.id);
  return stage.kind === 'for_each' && now?.kind === 'for_each' ? [...changedIn(stage.stages, before, now.stages, plan)] : [];
}

/** The changed stages and everything that needs one of `causes`, in the order of the plan. */
function following(stages: readonly Stage[], changed: ReadonlySet<string>, causes: ReadonlySet<string>): readonly string[] {
  const found = new Set(changed);
  const isAfter = ({ id, needs }: Stage) => !found.has(id) && needs.some((need) => found.has(need) || causes.has(need));
  for (let next = stages.find(isAfter); next !== undefined; next = stages.find(isAfter)) found.add(next.id);
  return stages.map(({ id }) => id).filter((id) => found.has(id));
}

/** Undefined: the stages of its items are what they were. */
function listChange(run: Run, before: ForEachStage, now: ForEachStage, changed: ReadonlySet<string>): ListChange | undefined {
  const added = now.stages.filter(({ id }) => !before.stages.some((stage) => stage.id === id));
  if (changed.size === 0 && added.length === 0) return undefined;
  const inner = following(before.stages, changed, changed);
  const begun = listItems(run, before.id).filter((item) =>
    before.stages.some(({ id }) => run.steps[inItem(id, keyIn(item))] !== undefined),
  );
  const landed = begun.filter((item) => before.stages.some((stage) => isLanded(stage, run.steps[inItem(stage.id, keyIn(item))])));
  const items = begun.flatMap((item) => {
    // What a person left out stays out.
    if (landed.includes(item) || isSkipped(run.steps[item])) return [];
    const again = inner.map((id) => inItem(id, keyIn(item))).filter((address) => hasBegun(run.steps[address]));
    return again.length > 0 || added.length > 0 ? [{ item, again }] : [];
  });
  return { forEach: before.id, items, landed };
}

function isLanded({ kind }: Stage, step: Step | undefined): boolean {
  return kind === 'land' && step !== undefined && isMaybeOnMain(step);
}

export function hasBegun(step: Step | undefined): boolean {
  return step !== undefined && step.state.kind !== 'waiting';
}

function isSkipped(step: Step | undefined): boolean {
  return step !== undefined && isOver(step) && step.state.kind === 'skipped';
}

function idsIn({ stages }: Plan): readonly string[] {
  return stages.flatMap((stage) => (stage.kind === 'for_each' ? [stage.id, ...stage.stages.map(({ id }) => id)] : [stage.id]));
}

/** Stages with the same work and other settings, those inside of a `for_each` too. */
function settingsIn(before: readonly Stage[], in1: Plan, after: readonly Stage[], in2: Plan): readonly string[] {
  const now = new Map(after.map((stage) => [stage.id, stage]));
  return before.flatMap((stage) => {
    const other = now.get(stage.id);
    if (other === undefined || !isSameWork(stage, in1, other, in2)) return [];
    const inside = stage.kind === 'for_each' && other.kind === 'for_each' ? settingsIn(stage.stages, in1, other.stages, in2) : [];
    return [...(isSameSettings(stage, other) ? [] : [stage.id]), ...inside];
  });
}
