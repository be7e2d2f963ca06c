import type * as z from 'zod';

/** A part of a schema as plain data (JSON Schema), for error messages and reference pages. */
export type Node = z.core.JSONSchema.BaseSchema;
export type Path = readonly PropertyKey[];

export function nodeAt(schema: Node, path: Path): Node | undefined {
  let node: Node | undefined = schema;
  for (const key of path) node = listBranches(node).flatMap((branch) => child(branch, key))[0];
  return node;
}

export function knownKeys(schema: Node, path: Path): readonly string[] {
  return listBranches(nodeAt(schema, path)).flatMap((branch) => {
    const names = isNode(branch.propertyNames) ? knownWords(branch.propertyNames) : [];
    return [...Object.keys(branch.properties ?? {}), ...names];
  });
}

/** The words that are allowed here, if the schema lists them. */
export function knownWords(node: Node): readonly string[] {
  return listBranches(node).flatMap((branch) => (branch.enum ?? []).filter((word) => typeof word === 'string'));
}

/** The alternatives of a union; the node itself if it has none. */
function listBranches(node: Node | undefined): readonly Node[] {
  if (node === undefined) return [];
  return node.anyOf === undefined ? [node] : node.anyOf.filter(isNode).flatMap(listBranches);
}

function child(node: Node, key: PropertyKey): readonly Node[] {
  const next: unknown = typeof key === 'number' ? node.items : (node.properties?.[String(key)] ?? node.additionalProperties);
  return isNode(next) ? [next] : [];
}

/** What the format of a file calls an object. */
export type ObjectWord = 'table' | 'mapping';

/** `an integer from 1 to 86400`, `a list of strings`. */
export function expectation(node: Node, object: ObjectWord = 'table'): string {
  if (node.title !== undefined) return node.title;
  if (Array.isArray(node.type)) return node.type.map((type) => expectation({ type }, object)).join(' or ');
  if (node.anyOf !== undefined) return node.anyOf.map((each) => expectation(isNode(each) ? each : {}, object)).join(' or ');
  if (node.enum !== undefined) return `one of ${node.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  switch (node.type) {
    case 'integer':
    case 'number':
      return `${node.type === 'integer' ? 'an integer' : 'a number'}${range(node)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list of ${listed(node.items, object)}${node.minItems === undefined ? '' : ' that is not empty'}`;
    case 'object':
      return isNode(node.additionalProperties) && node.additionalProperties.type === 'string' ? `a ${object} of strings` : `a ${object}`;
    default:
      return node.minLength === undefined ? 'a string' : 'a string that is not empty';
  }
}

function listed(items: unknown, object: ObjectWord): string {
  const words: Readonly<Record<string, string>> = { object: `${object}s`, integer: 'integers', number: 'numbers' };
  const kinds = isNode(items) ? listBranches(items).map(({ type }) => words[String(type)] ?? 'strings') : ['strings'];
  return [...new Set(kinds)].join(' or ');
}

function range(node: Node): string {
  const { minimum, maximum } = node;
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : ` of at least ${minimum}`;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
