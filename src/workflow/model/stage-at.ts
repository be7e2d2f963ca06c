import type { ForEachStage, ItemStage, Reactions, Stage, StageBase, Trigger } from '../definition/plan.ts';
import { inItem, splitAddress } from './address.ts';
import type { Run, Step } from './run.ts';

/** An item as a stage: it waits for the items before it, and its own stages are inside. */
export interface ItemNode extends StageBase {
  readonly kind: 'item';
  readonly key: string;
  /** The id of its `for_each`. */
  readonly within: string;
  /** The addresses of its stages. */
  readonly stages: readonly string[];
}

/** What a step does: a stage of the plan, an item, or a stage of an item, with addresses in the place of ids. */
export type RunStage = Stage | ItemNode;

type Steps = Pick<Run, 'plan' | 'steps'>;

/** The stage of an address; undefined if the plan has none. Everything that it names is an address too. */
export function stageAt({ plan, steps }: Steps, address: string): RunStage | undefined {
  const { stage: id, key } = splitAddress(address);
  if (key === null) return plan.stages.find((stage) => stage.id === id);
  for (const within of plan.stages) {
    if (within.kind !== 'for_each') continue;
    if (within.id === id) return itemNode(within, key, steps[address]?.item?.after ?? []);
    const inner = within.stages.find((stage) => stage.id === id);
    if (inner !== undefined) return bound(inner, within, key);
  }
  return undefined;
}

/** The `for_each` and the address of the item that a stage belongs to; undefined for a stage outside of one. */
export function itemAround(
  { plan }: Pick<Run, 'plan'>,
  address: string,
): { readonly within: ForEachStage; readonly key: string } | undefined {
  const { stage: id, key } = splitAddress(address);
  if (key === null) return undefined;
  const within = plan.stages.find(
    (stage): stage is ForEachStage => stage.kind === 'for_each' && (stage.id === id || stage.stages.some((inner) => inner.id === id)),
  );
  return within && { within, key };
}

/** The stages of the list that a stage is in: those of the plan, or those of its item. */
export function listSiblings(run: Pick<Run, 'plan'>, address: string): readonly Stage[] {
  const around = itemAround(run, address);
  return around === undefined ? run.plan.stages : around.within.stages.map((stage) => bound(stage, around.within, around.key));
}

/** What follows if work contradicts other results: its review says it, or the stage that made it. Without it, nobody can say so. */
export function ifInconsistent(run: Steps, stage: RunStage): Reactions | undefined {
  return stage.onFailure.inconsistent ?? (stage.kind === 'review' ? stageAt(run, stage.of)?.onFailure.inconsistent : undefined);
}

/** A stage and those of the same list that need it, directly or not. A stage may need one that comes later in the file. */
export function stagesAfter(run: Pick<Run, 'plan'>, address: string): readonly string[] {
  const found = new Set([address]);
  const siblings = listSiblings(run, address);
  // A set gives what is added while it is walked.
  for (const each of found) for (const { id, needs } of siblings) if (needs.includes(each)) found.add(id);
  return [...found];
}

/** Whether a later stage needs what this one makes. A review leaves an opinion: without it, the work is marked. */
export function isNeededLater(run: Steps, address: string): boolean {
  const own = stageAt(run, address);
  if (own?.kind === 'review' || (own?.kind === 'work' && own.optional === true)) return false;
  const uses = (stage: Stage, id: string) => stage.needs.includes(id) || ('of' in stage && stage.kind !== 'for_each' && stage.of === id);
  if (listSiblings(run, address).some((stage) => uses(stage, address))) return true;
  const around = itemAround(run, address);
  return around !== undefined && run.plan.stages.some((stage) => uses(stage, around.within.id));
}

/** The addresses of the items that a `for_each` has, in the order of its list. */
export function listItems({ steps }: Pick<Run, 'steps'>, forEach: string): readonly string[] {
  const prefix = inItem(forEach, '');
  return Object.keys(steps).filter((address) => address.startsWith(prefix));
}

/** Every stage of the run in the order of the plan, each `for_each` followed by its items and their stages. */
export function stagesIn(run: Steps): readonly RunStage[] {
  return run.plan.stages.flatMap((stage) => {
    if (stage.kind !== 'for_each') return [stage];
    const items = listItems(run, stage.id).flatMap((address) => stageAt(run, address) ?? []);
    return [stage, ...items.flatMap((item) => [item, ...stagesInside(run, item)])];
  });
}

/** The steps of the run in the same order. Their order in the record is that of their numbers first: `"10"` comes before `"1-check"`. */
export function stepsIn(run: Steps): readonly Step[] {
  return stagesIn(run).flatMap(({ id }) => run.steps[id] ?? []);
}

function stagesInside(run: Steps, item: RunStage): readonly RunStage[] {
  const addresses = item.kind === 'item' ? item.stages.filter((address) => Object.hasOwn(run.steps, address)) : [];
  return addresses.flatMap((address) => stageAt(run, address) ?? []);
}

function itemNode(within: ForEachStage, key: string, after: readonly string[]): ItemNode {
  return {
    kind: 'item',
    id: inItem(within.id, key),
    key,
    within: within.id,
    needs: after.map((other) => inItem(within.id, other)),
    stages: within.stages.map(({ id }) => inItem(id, key)),
    when: undefined,
    whenUnknown: undefined,
    require: undefined,
    timeoutMs: undefined,
    circuitBreaker: undefined,
    onFailure: {},
    digest: within.digest,
  };
}

/** A stage as a stage of one item. */
function bound(stage: ItemStage, within: ForEachStage, key: string): ItemStage {
  const at = (id: string): string => inItem(id, key);
  const common = { id: at(stage.id), needs: stage.needs.map(at), onFailure: reactionsIn(stage, within, key) };
  return stage.kind === 'review' || stage.kind === 'land' ? { ...stage, ...common, of: at(stage.of) } : { ...stage, ...common };
}

/** What a `for_each` says about itself; its other reactions are for stages of items that name none. */
const OWN_TRIGGERS: readonly Trigger[] = ['unmet', 'timeout'];

function reactionsIn(stage: ItemStage, within: ForEachStage, key: string): ItemStage['onFailure'] {
  const inherited = Object.entries(within.onFailure).filter(([trigger]) => !OWN_TRIGGERS.some((own) => own === trigger));
  const isInside = (id: string) => within.stages.some((each) => each.id === id);
  const bind = ({ after, steps }: Reactions): Reactions => ({
    after,
    steps: steps.map((step) => (step.kind === 'rollback' && isInside(step.to) ? { ...step, to: inItem(step.to, key) } : step)),
  });
  const own = { ...Object.fromEntries(inherited), ...stage.onFailure };
  return Object.fromEntries(Object.entries(own).map(([trigger, reactions]) => [trigger, bind(reactions)]));
}
