import { quote } from '../../config/problems/problem.ts';
import type { StageDraft, WorkflowDraft } from './draft.ts';
import { describeExpected, meantOrKnown, type Order } from './order.ts';
import { fields, inputShape, type Reader, SHAPE_WORDS, type Shape, stageShape } from './shape.ts';
import { splitPath } from './values.ts';

/** A path is known with its shape, or there is something wrong with it. */
export type Resolved = { readonly kind: 'known'; readonly shape: Shape } | { readonly kind: 'wrong'; readonly message: string };

/** The names that the paths of one stage may begin with. */
export interface Scope {
  readonly names: Readonly<Record<string, Shape>>;
  /** Why another name is not among them, such as a stage that comes later. */
  readonly missing: ReadonlyMap<string, string>;
}

export interface StageSurroundings {
  readonly order: Order;
  /** For the stages of an item: the stage that repeats them, and where that stands. */
  readonly outer: { readonly stage: StageDraft; readonly order: Order; readonly item: Shape } | undefined;
}

/** The scopes of a stage, by who reads the values. */
export function makeScopes(
  draft: WorkflowDraft,
  stage: StageDraft,
  here: StageSurroundings,
  all: ReadonlyMap<string, StageDraft>,
): { readonly scope: Scope; readonly textScope: Scope } {
  return { scope: makeScope(draft, stage, here, all, 'condition'), textScope: makeScope(draft, stage, here, all, 'text') };
}

function makeScope(
  draft: WorkflowDraft,
  stage: StageDraft,
  { order, outer }: StageSurroundings,
  all: ReadonlyMap<string, StageDraft>,
  reader: Reader,
): Scope {
  const before = [...ended(order, stage.id), ...(outer === undefined ? [] : ended(outer.order, outer.stage.id))];
  const inputs = draft.inputs === undefined ? { kind: 'anything' as const } : fields(mapValues(draft.inputs, inputShape));
  const names = {
    inputs,
    ...(outer === undefined ? {} : { item: outer.item }),
    ...Object.fromEntries(before.map((each) => [each.id ?? '', stageShape(each.body, reader)])),
  };
  const missing = new Map([...all.keys()].filter((id) => !Object.hasOwn(names, id)).map((id) => [id, whyMissing(id, stage, order, all)]));
  if (outer === undefined) missing.set('item', 'item is known only inside a for_each');
  return { names, missing };
}

function ended(order: Order, id: string | undefined): readonly StageDraft[] {
  return id === undefined ? [...order.stages.values()] : [...order.before(id)].flatMap((each) => order.stages.get(each) ?? []);
}

function whyMissing(id: string, stage: StageDraft, order: Order, all: ReadonlyMap<string, StageDraft>): string {
  if (id === stage.id) return `the stage ${quote(id)} has no results yet`;
  const path = all.get(id)?.path ?? [];
  // ['stages', 2, 'stages', 0] is inside the third stage.
  const isInside = path.length === 4 && !order.stages.has(id);
  const home = [...all].find(([, each]) => each.path.length === 2 && each.path[1] === path[1])?.[0];
  if (isInside) return `the stage ${quote(id)} is inside ${quote(home ?? 'a for_each')}`;
  return `the stage ${quote(id)} does not end before ${quote(stage.id ?? '')} begins`;
}

/** Follows a path as far as its shape is known. */
export function resolve(path: string, scope: Scope): Resolved {
  const { name, fields: steps } = splitPath(path, [...Object.keys(scope.names), ...scope.missing.keys()]);
  const known = Object.keys(scope.names);
  if (name === undefined) return wrong(`there is no input or stage ${quote(path.split('.')[0] ?? '')}`, path.split('.')[0] ?? '', known);
  const reason = scope.missing.get(name);
  if (reason !== undefined) return { kind: 'wrong', message: `${reason}; ${describeExpected(known)}` };
  let shape: Shape = scope.names[name] ?? { kind: 'anything' };
  let at = name;
  for (const step of steps) {
    if (shape.kind === 'anything') return { kind: 'known', shape };
    if (shape.kind !== 'fields') return { kind: 'wrong', message: `${at} is ${SHAPE_WORDS[shape.kind]} and has no field ${quote(step)}` };
    const next: Shape | undefined = Object.hasOwn(shape.fields, step) ? shape.fields[step] : undefined;
    if (next === undefined) return wrong(absent(at, step), step, Object.keys(shape.fields));
    shape = next;
    at = `${at}.${step}`;
  }
  return { kind: 'known', shape };
}

function absent(at: string, step: string): string {
  return at === 'inputs' ? `there is no input ${quote(step)}` : `${at} has no ${quote(step)}`;
}

function wrong(problem: string, word: string, known: readonly string[]): Resolved {
  return { kind: 'wrong', message: `${problem}; ${meantOrKnown(word, known)}` };
}

function mapValues<From, To>(map: ReadonlyMap<string, From>, to: (value: From) => To): Readonly<Record<string, To>> {
  return Object.fromEntries([...map].map(([key, value]) => [key, to(value)]));
}
