import { keyText, type Problem, quote } from '../../config/problems/problem.ts';
import type { Rest } from '../../config/problems/rest.ts';
import type { Head, InputSpec, Named, RoleSpec, StageDraft, WorkflowDraft } from './draft.ts';
import { meantOrKnown, Order } from './order.ts';
import { RESERVED_FILES, RESERVED_IDS } from './schema-parts.ts';
import { makeScopes, resolve, type StageSurroundings } from './scope.ts';
import type { Shape } from './shape.ts';
import type { StageContext } from './stage-context.ts';
import { stageProblems } from './stage-references.ts';
import { placeholdersIn } from './template.ts';

/** What the surroundings of a file know. */
export interface Known {
  /** The agents that exist; undefined if that cannot be told. */
  readonly agents?: readonly string[] | undefined;
  /** The name that the workflow must have, because its file has it. */
  readonly name?: string | undefined;
}

/** What the shape cannot check: names that are not there, and orders that cannot be. */
export function brokenReferences(written: WorkflowDraft, known: Known): readonly Problem[] {
  const { draft, problems } = withUniqueIds(written);
  const order = new Order(draft.stages);
  const all = new Map(
    draft.stages.flatMap((stage) => [stage, ...stage.inner]).flatMap((stage) => (stage.id === undefined ? [] : [[stage.id, stage]])),
  );
  const contexts = draft.stages.flatMap((stage): StageContext[] => {
    const here = { order, outer: undefined };
    const context = { draft, stage, all, ...here, ...makeScopes(draft, stage, here, all) };
    return [context, ...itemContexts(context)];
  });
  const inner = draft.stages.flatMap((stage) => new Order(stage.inner).problems(places(draft, stage)));
  const { rest } = draft;
  return [
    ...(draft.head === undefined ? [] : nameProblems(draft.head, known)),
    ...(rest.head?.adapt(nameProblems(rest.head.value, known)) ?? []),
    ...eachPart(draft.inputs, rest.inputs, inputProblems),
    ...eachPart(draft.roles, rest.roles, (name, role) => [...agentProblems(name, role, known), ...rolePromptProblems(name, role)]),
    ...problems,
    ...order.problems(places(draft, undefined)),
    ...inner,
    ...contexts.flatMap(stageProblems),
  ];
}

function itemContexts(context: StageContext): readonly StageContext[] {
  const { draft, stage, all } = context;
  if (stage.inner.length === 0) return [];
  const here: StageSurroundings = { order: new Order(stage.inner), outer: { stage, order: context.order, item: itemShape(context) } };
  return stage.inner.map((inner) => ({ draft, stage: inner, all, ...here, ...makeScopes(draft, inner, here, all) }));
}

function itemShape({ stage, scope }: StageContext): Shape {
  if (stage.body?.key !== 'for_each') return { kind: 'anything' };
  const resolved = resolve(stage.body.spec.for_each.of, scope);
  return resolved.kind === 'known' && resolved.shape.kind === 'list' ? resolved.shape.of : { kind: 'anything' };
}

/** Where the stages of the other lists are. */
function places(draft: WorkflowDraft, list: StageDraft | undefined): ReadonlyMap<string, string> {
  const outside = list === undefined ? [] : draft.stages.map((stage) => [stage.id ?? '', 'outside of this for_each'] as const);
  const inside = draft.stages
    .filter((stage) => stage !== list)
    .flatMap((stage) => stage.inner.map((inner) => [inner.id ?? '', `inside ${quote(stage.id ?? '')}`] as const));
  return new Map([...inside, ...outside]);
}

/** Checks the parts that have the right shape, and what is left of the others. */
function eachPart<Spec>(
  whole: Named<Spec>,
  rests: ReadonlyMap<string, Rest<Spec>>,
  check: (name: string, spec: Spec) => readonly Problem[],
): readonly Problem[] {
  const sound = [...(whole ?? [])].flatMap(([name, spec]) => (spec === undefined ? [] : check(name, spec)));
  return [...sound, ...[...rests].flatMap(([name, { value, adapt }]) => adapt(check(name, value)))];
}

function nameProblems(head: Head, { name }: Known): readonly Problem[] {
  if (name === undefined || head.name === name) return [];
  return [
    {
      path: ['name'],
      about: 'value',
      message: `name: found the string ${quote(head.name)}, expected ${quote(name)}, because the file has this name`,
    },
  ];
}

function inputProblems(name: string, input: InputSpec): readonly Problem[] {
  if ((input.type === undefined) !== (input.one_of === undefined)) return [];
  const path = ['inputs', name];
  if (input.type === undefined)
    return [{ path, about: 'key', lacks: true, message: `${keyText(path)}: found neither type nor one_of, expected one of them` }];
  return [{ path: [...path, 'one_of'], about: 'key', message: `${keyText(path)}: found type and one_of, expected only one of them` }];
}

function agentProblems(name: string, role: RoleSpec, { agents }: Known): readonly Problem[] {
  return (['agent', 'fallback'] as const).flatMap((key): Problem[] => {
    const agent = role[key];
    const path = ['roles', name, key];
    if (agent === undefined) return [];
    if (key === 'fallback' && agent === role.agent)
      return [{ path, about: 'value', message: `${keyText(path)}: an agent cannot be its own fallback` }];
    if (agents === undefined || agents.includes(agent)) return [];
    return [{ path, about: 'value', message: `${keyText(path)}: there is no agent ${quote(agent)}; ${meantOrKnown(agent, agents)}` }];
  });
}

function rolePromptProblems(name: string, { prompt }: RoleSpec): readonly Problem[] {
  return placeholdersIn(prompt).map(({ raw }): Problem => {
    const path = ['roles', name, 'prompt'];
    return {
      path,
      about: 'value',
      excerpt: raw,
      message: `${keyText(path)}: found ${raw}, expected paths only in the prompt of a stage`,
    };
  });
}

/** An id that another stage has, or that means something else, is reported, and then counts as missing. */
function withUniqueIds(draft: WorkflowDraft): { readonly draft: WorkflowDraft; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const checked = (stage: StageDraft): StageDraft => {
    const { id } = stage;
    const flaw = id === undefined ? undefined : idFlaw(id, seen);
    if (flaw !== undefined) problems.push({ path: [...stage.path, 'id'], about: 'value', message: flaw });
    if (id !== undefined) seen.add(id);
    return { ...stage, id: flaw === undefined ? id : undefined, inner: stage.inner.map(checked) };
  };
  return { draft: { ...draft, stages: draft.stages.map(checked) }, problems };
}

function idFlaw(id: string, seen: ReadonlySet<string>): string | undefined {
  if (RESERVED_IDS.includes(id)) return `the id ${quote(id)} cannot be used: llmc has this name for something else`;
  // Some disks take capital letters for small ones.
  if (RESERVED_FILES.includes(id.toLowerCase()))
    return `the id ${quote(id)} cannot be used: llmc keeps something else under this name where agents find the results of stages`;
  return seen.has(id) ? `there is another stage with the id ${quote(id)}; expected an id of its own` : undefined;
}
