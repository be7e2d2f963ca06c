import * as z from 'zod';
import { configSchema } from './schema.ts';

export type Node = z.core.JSONSchema.BaseSchema;
type Path = readonly PropertyKey[];

let described: Node | undefined;

/** The schema as plain data, for error messages and for the reference page. */
export function describedSchema(): Node {
  described ??= z.toJSONSchema(configSchema, { io: 'input' });
  return described;
}

export function nodeAt(path: Path): Node | undefined {
  let node: Node | undefined = describedSchema();
  for (const key of path) {
    const next: unknown = typeof key === 'number' ? node?.items : (node?.properties?.[String(key)] ?? node?.additionalProperties);
    node = isNode(next) ? next : undefined;
  }
  return node;
}

export function knownKeys(path: Path): readonly string[] {
  return Object.keys(nodeAt(path)?.properties ?? {});
}

const LISTED: Readonly<Record<string, string>> = { object: 'tables', integer: 'integers', number: 'numbers' };

/** `an integer from 1 to 86400`, `a list of strings`. */
export function expectation(node: Node): string {
  if (node.anyOf !== undefined) return node.anyOf.map((each) => expectation(isNode(each) ? each : {})).join(' or ');
  if (node.enum !== undefined) return `one of ${node.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  switch (node.type) {
    case 'integer':
    case 'number':
      return `${node.type === 'integer' ? 'an integer' : 'a number'}${range(node)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list of ${isNode(node.items) ? (LISTED[String(node.items.type)] ?? 'strings') : 'strings'}${node.minItems === undefined ? '' : ' that is not empty'}`;
    case 'object':
      return isNode(node.additionalProperties) && node.additionalProperties.type === 'string' ? 'a table of strings' : 'a table';
    default:
      return node.minLength === undefined ? 'a string' : 'a string that is not empty';
  }
}

function range(node: Node): string {
  const { minimum, maximum } = node;
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : ` of at least ${minimum}`;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
