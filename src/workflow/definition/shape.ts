import type { InputSpec, StageSpec } from './draft.ts';
import { artifactName, isStructured, listOutputFiles } from './output-files.ts';

/** What is known about a value before a run. */
export type Shape =
  | { readonly kind: 'anything' }
  | { readonly kind: 'text' | 'number' | 'flag' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, Shape>> };

const ANYTHING: Shape = { kind: 'anything' };
const TEXT: Shape = { kind: 'text' };
const NUMBER: Shape = { kind: 'number' };
const TEXTS: Shape = { kind: 'list', of: TEXT };

export const SHAPE_WORDS = { text: 'a text', number: 'a number', flag: 'true or false', list: 'a list', fields: 'several values' } as const;

export function inputShape(input: InputSpec | undefined): Shape {
  if (input === undefined || input.type === 'file') return ANYTHING;
  if (input.type === 'items') return { kind: 'list', of: ANYTHING };
  if (input.type === 'list') return TEXTS;
  return input.type === 'flag' ? { kind: 'flag' } : TEXT;
}

/** The results of a `for_each`, for its `require` and for later stages. */
export function forEachFields(agreesOn: boolean): Readonly<Record<string, Shape>> {
  const counts = { done: NUMBER, failed: NUMBER, skipped: NUMBER, total: NUMBER };
  return agreesOn ? { ...counts, shared: NUMBER } : counts;
}

/** Who names a value: a condition reads what a file contains, a text gets the place of the file, so that it cannot pose as a prompt. */
export type Reader = 'condition' | 'text';

/** What a stage leaves. */
export function stageShape(body: StageSpec | undefined, reader: Reader): Shape {
  if (body === undefined) return ANYTHING;
  const left = resultFields(body, reader);
  return fields(reader === 'condition' ? { ...left, state: TEXT, round: NUMBER, marks: TEXTS } : left);
}

function resultFields(body: StageSpec, reader: Reader): Readonly<Record<string, Shape>> {
  switch (body.key) {
    case 'role':
      return reader === 'condition' ? outputFields(body.spec.output) : mapFields(outputFields(body.spec.output), () => TEXT);
    case 'review':
      return reader === 'condition' ? { verdict: TEXT } : {};
    case 'for_each':
      return forEachFields(body.spec.for_each.agree_on !== undefined);
    case 'command':
      return {};
    case 'land':
      return { commit: TEXT };
  }
}

function mapFields(of: Readonly<Record<string, Shape>>, to: (shape: Shape) => Shape): Readonly<Record<string, Shape>> {
  return Object.fromEntries(Object.entries(of).map(([name, shape]) => [name, to(shape)]));
}

function outputFields(output: Parameters<typeof listOutputFiles>[0]): Readonly<Record<string, Shape>> {
  if (output === 'commit') return { commit: TEXT };
  if (output === 'answer') return { answer: TEXT };
  return Object.fromEntries(
    listOutputFiles(output).map(({ path, schema }) => [artifactName(path), isStructured(path) ? schemaShape(schema) : TEXT]),
  );
}

/** What a JSON Schema promises. Fields that it does not list are not promised, unless it says that there are more. */
function schemaShape(schema: unknown): Shape {
  if (typeof schema !== 'object' || schema === null) return ANYTHING;
  const type: unknown = Reflect.get(schema, 'type');
  if (type === 'string') return TEXT;
  if (type === 'number' || type === 'integer') return NUMBER;
  if (type === 'boolean') return { kind: 'flag' };
  if (type === 'array') return { kind: 'list', of: schemaShape(Reflect.get(schema, 'items')) };
  const properties: unknown = Reflect.get(schema, 'properties');
  const more: unknown = Reflect.get(schema, 'additionalProperties');
  if (type !== 'object' || typeof properties !== 'object' || properties === null || (more !== undefined && more !== false)) return ANYTHING;
  return fields(Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, schemaShape(inner)])));
}

export function fields(of: Readonly<Record<string, Shape>>): Shape {
  return { kind: 'fields', fields: of };
}
