import type * as z from 'zod';
import { nearest } from '../nearest.ts';
import { expectation, knownKeys, knownWords, type Node, nodeAt, type ObjectWord, type Path } from './expectation.ts';

/** A problem in a file that a person wrote, without its position. */
export interface Problem {
  readonly path: Path;
  /** Which side of `key = value` is wrong. */
  readonly about: 'key' | 'value' | 'missing';
  /** The part of a text that is wrong, as the file writes it. */
  readonly excerpt?: string;
  /** The known key that an unknown one is close to. */
  readonly meant?: string | undefined;
  readonly message: string;
  /** It is one only because something is missing beside it. */
  readonly lacks?: true;
}

/** What the messages about one kind of file need to know. */
export interface FileKind {
  readonly object: ObjectWord;
  /** The object that holds an unknown key: `in [defaults]`. */
  place(path: Path): string;
  /** Where an unknown key would be known. */
  home(key: string, path: Path): string | undefined;
  /** Why a key that is known elsewhere can have no effect in an object. */
  without?(key: string, path: Path): string | undefined;
  /** True if a message must not quote the value. */
  isSecret(path: Path): boolean;
}

/** A part of a file that a schema refused. */
export interface Refused {
  readonly error: z.ZodError;
  readonly parsed: unknown;
  /** The schema of the part. */
  readonly schema: Node;
  /** Where the part stands in the file. */
  readonly at: Path;
}

export function listProblems(refused: Refused, kind: FileKind): readonly Problem[] {
  const problems = describeAll(refused.error.issues, [], refused, kind);
  // A key that is misspelt is not missing as well.
  const meant = new Set(problems.flatMap(({ meant: name, path }) => (name === undefined ? [] : [keyText([...path.slice(0, -1), name])])));
  return problems.filter(({ about, path }) => about !== 'missing' || !meant.has(keyText(path)));
}

function describeAll(issues: readonly z.core.$ZodIssue[], above: Path, refused: Refused, kind: FileKind): readonly Problem[] {
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => keyText(path));
  // A rule about a whole object says nothing new while it has unknown keys.
  const telling = issues.filter(({ code, path }) => code !== 'custom' || !unknown.includes(keyText(path)));
  return telling.flatMap((issue) => describe(issue, above, refused, kind));
}

function describe(issue: z.core.$ZodIssue, above: Path, refused: Refused, kind: FileKind): readonly Problem[] {
  const { schema, at } = refused;
  const inside = [...above, ...issue.path];
  const path = [...at, ...inside];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, knownKeys(schema, inside), kind));
  if (issue.code === 'invalid_key') {
    const reason = issue.issues[0]?.message ?? 'not allowed here';
    return [{ path, about: 'key', message: `the name ${quote(String(path.at(-1)))} cannot be used: ${reason}` }];
  }
  const found = valueAt(refused.parsed, inside);
  if (issue.code === 'invalid_union') {
    const [meant, ...others] = issue.errors.filter((branch) => !branch.some((each) => isOtherType(each, found)));
    if (meant !== undefined && others.length === 0) return describeAll(meant, inside, refused, kind);
  }
  const node = nodeAt(schema, inside);
  const expected = node === undefined ? issue.message : expectation(node, kind.object);
  if (found === undefined) return [{ path, about: 'missing', message: `${keyText(path)} is missing; expected ${expected}` }];
  const says = issue.code === 'invalid_format' || issue.code === 'custom' ? issue.message : `expected ${expected}`;
  const reason = `${says}${help(found, node, kind)}`;
  return [{ path, about: 'value', message: `${keyText(path)}: found ${foundText(found, kind.isSecret(path), kind.object)}, ${reason}` }];
}

/** Whether an alternative of a union is about another type than the value has. */
function isOtherType(issue: z.core.$ZodIssue, found: unknown): boolean {
  if (issue.path.length > 0) return false;
  return issue.code === 'invalid_type' || (issue.code === 'invalid_value' && !issue.values.some((value) => typeof value === typeof found));
}

function help(found: unknown, node: Node | undefined, { object }: FileKind): string {
  if (node === undefined) return '';
  const close = typeof found === 'string' ? nearest(found, knownWords(node)) : undefined;
  if (close !== undefined) return `; did you mean ${quote(close)}?`;
  // YAML has no quotes around most strings, so `id: 7` looks like one.
  const unquoted = object === 'mapping' && (typeof found === 'number' || typeof found === 'boolean') && node.type === 'string';
  return unquoted && new RegExp(node.pattern ?? '').test(String(found)) ? '; write it in quotes' : '';
}

function unknownKey(path: Path, key: string, known: readonly string[], kind: FileKind): Problem {
  const close = nearest(key, known);
  const home = kind.home(key, path);
  let help = known.length > 0 ? `expected one of ${known.join(', ')}` : 'nothing is expected here';
  if (home !== undefined) help = `it belongs in ${home}`;
  if (close !== undefined) help = `did you mean ${quote(close)}?`;
  const reason = kind.without?.(key, path);
  if (reason !== undefined) help = reason;
  return { path: [...path, key], about: 'key', meant: close, message: `unknown key ${quote(key)} ${kind.place(path)}; ${help}` };
}

/** A path as messages write it. */
export function keyText(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : /^[\w-]+$/.test(String(key)) ? `.${String(key)}` : `.${quote(String(key))}`))
    .join('')
    .replace(/^\./, '');
}

function foundText(value: unknown, isSecret: boolean, object: ObjectWord): string {
  if (typeof value === 'string') return isSecret ? 'a string' : `the string ${quote(value)}`;
  if (typeof value === 'number' || typeof value === 'bigint') return isSecret ? 'a number' : `the number ${value}`;
  if (typeof value === 'boolean') return isSecret ? 'true or false' : String(value);
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return value instanceof Date ? 'a date' : `a ${object}`;
}

/** A word of a file in a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function valueAt(parsed: unknown, path: Path): unknown {
  let value = parsed;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
