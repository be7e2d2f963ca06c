import type { Plan } from '../../definition/plan.ts';
import { inItem, keyIn, splitAddress } from '../../model/address.ts';
import { newStep } from '../../model/new-step.ts';
import { isOver, type Run, type Step } from '../../model/run.ts';
import { listItems } from '../../model/stage-at.ts';
import { rollBack } from '../compensate/roll-back.ts';
import { closeQuestions } from '../escalation.ts';
import { openItems } from '../items/open-items.ts';
import { roleAt } from '../seat.ts';
import type { Turn } from '../turn.ts';
import type { ListChange, PlanChange } from './model.ts';
import { otherRoles } from './same-work.ts';

const WHY = 'the workflow has changed';

/** The run goes on with another plan. What changed and what follows it begins again; everything else stays as it is. */
export function takePlan(turn: Turn, plan: Plan, change: PlanChange): void {
  const { plan: before } = turn.run;
  const items = change.lists.flatMap((list) => list.items);
  const ended = items.map(({ item }) => item).filter((item) => isOver(turn.step(item)));
  for (const stage of change.stages) if (hasBegun(turn, stage)) rollBack(turn, stage, { reason: WHY });
  for (const address of items.flatMap(({ again }) => again)) if (hasBegun(turn, address)) rollBack(turn, address, { reason: WHY });
  turn.record({ kind: 'plan', before });
  turn.change({ plan, steps: stepsFor(turn.run, plan, change), breakers: breakersFor(turn.run, plan) });
  // They wait for a place in the window again.
  for (const item of ended) turn.changeStep(item, { state: { kind: 'waiting' }, endedMs: null, marks: [] });
  for (const list of change.lists) reopen(turn, list);
  changeAgents(turn, before);
  turn.note(null, 'goes on with a changed workflow');
  turn.record({ kind: 'checkpoint', type: 'manual', note: WHY });
}

/** A rollback before may have reset it. */
function hasBegun(turn: Turn, address: string): boolean {
  return turn.step(address).state.kind !== 'waiting';
}

/** In the order of the new plan. A step that only the old plan had is gone; its results are in the archive. */
function stepsFor({ steps }: Run, plan: Plan, { lists }: PlanChange): Readonly<Record<string, Step>> {
  const open = new Set(lists.flatMap(({ items }) => items.map(({ item }) => item)));
  const kept = plan.stages.flatMap((stage) => {
    const step = steps[stage.id] ?? newStep(stage.id);
    if (stage.kind !== 'for_each') return [step];
    const items = listItems({ steps }, stage.id).flatMap((item) => {
      const own = steps[item];
      const addresses = stage.stages.map(({ id }) => inItem(id, keyIn(item)));
      const hasSteps = addresses.some((address) => steps[address] !== undefined);
      const inner = addresses.map(
        (address) => steps[address] ?? (own !== undefined && isOver(own) && !open.has(item) ? leftOut(address) : newStep(address)),
      );
      return own === undefined ? [] : [own, ...(hasSteps ? inner : [])];
    });
    return [step, ...items];
  });
  return Object.fromEntries(kept.map((step) => [step.address, step]));
}

/** A stage that is new in an item that stays as it is. */
function leftOut(address: string): Step {
  return { ...newStep(address), state: { kind: 'skipped', why: 'its item had ended before the stage was added', cause: 'condition' } };
}

/** Counters of failures belong to the stage that they were counted for. */
function breakersFor({ breakers, plan: before }: Run, plan: Plan): Run['breakers'] {
  const digests = ({ stages }: Plan) =>
    new Map(stages.flatMap((stage) => [stage, ...(stage.kind === 'for_each' ? stage.stages : [])]).map(({ id, digest }) => [id, digest]));
  const [old, now] = [digests(before), digests(plan)];
  const isSame = (scope: string): boolean => {
    const { stage } = splitAddress(scope.slice(scope.indexOf(':') + 1));
    return old.has(stage) && old.get(stage) === now.get(stage);
  };
  return Object.fromEntries(Object.entries(breakers).filter(([scope]) => isSame(scope)));
}

function reopen(turn: Turn, { forEach, items }: ListChange): void {
  const stage = turn.stage(forEach);
  if (items.length === 0 || stage.kind !== 'for_each') return;
  closeQuestions(turn, forEach, 'rollback');
  turn.changeStep(forEach, { endedMs: null, marks: [] });
  openItems(turn, stage);
}

/** A role with another agent begins with it: fresh, in the worktree of the agent before it. */
function changeAgents(turn: Turn, before: Plan): void {
  const others = otherRoles(before, turn.run.plan, ({ agent, model, fallback }) => [agent, model, fallback]);
  for (const role of others) {
    const { letters } = turn.role(role);
    const kept = Object.entries(turn.run.roles).filter(([key]) => splitAddress(key).stage !== role);
    turn.change({ roles: { ...Object.fromEntries(kept), [role]: { agent: 'own', unavailable: false, letters } } });
  }
  for (const { address, state } of Object.values(turn.run.steps)) {
    const role = roleAt(turn.stage(address));
    if (role === undefined || !others.includes(role) || state.kind !== 'cooling' || state.redo.kind === 'collect') continue;
    turn.changeStep(address, { state: { ...state, redo: { kind: 'attempt', conversation: 'fresh' } }, tries: 0 });
  }
}
