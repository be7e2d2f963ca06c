import type * as z from 'zod';
import { expectation, knownKeys, nodeAt } from './expectation.ts';
import { nearest } from './nearest.ts';

type Path = readonly PropertyKey[];

/** A problem in config.toml, without its position. */
export interface Problem {
  readonly path: Path;
  /** Which side of `key = value` is wrong. */
  readonly about: 'key' | 'value' | 'missing';
  readonly message: string;
}

export function problemsOf(error: z.ZodError, parsed: unknown): readonly Problem[] {
  return error.issues.flatMap((issue) => describe(issue, parsed));
}

function describe(issue: z.core.$ZodIssue, parsed: unknown): readonly Problem[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key));
  if (issue.code === 'invalid_key') {
    const reason = issue.issues[0]?.message ?? 'not allowed here';
    return [{ path, about: 'key', message: `the name ${quote(String(path.at(-1)))} cannot be used: ${reason}` }];
  }
  const found = valueAt(parsed, path);
  if (found === undefined) return [{ path, about: 'missing', message: `${keyText(path)} is missing; expected ${expected(issue, path)}` }];
  return [{ path, about: 'value', message: `${keyText(path)}: found ${foundText(found, path)}, ${reason(issue, path)}` }];
}

function unknownKey(path: Path, key: string): Problem {
  const full = [...path, key];
  const known = knownKeys(path);
  const close = nearest(key, known);
  const homes = ['defaults', 'repo', 'pane', 'notify', 'delivery'].filter((home) => knownKeys([home]).includes(key));
  const place = path.length === 0 ? 'at the top level' : `in [${keyText(path)}]`;
  let help = known.length > 0 ? `expected one of ${known.join(', ')}` : 'nothing is expected here';
  if (homes.length > 0) help = `it belongs in ${homes.map((home) => `[${home}]`).join(' or ')}`;
  if (close !== undefined) help = `did you mean ${quote(close)}?`;
  return { path: full, about: 'key', message: `unknown key ${quote(key)} ${place}; ${help}` };
}

function reason(issue: z.core.$ZodIssue, path: Path): string {
  return issue.code === 'invalid_format' || issue.code === 'custom' ? issue.message : `expected ${expected(issue, path)}`;
}

function expected(issue: z.core.$ZodIssue, path: Path): string {
  const node = nodeAt(path);
  return node === undefined ? issue.message : expectation(node);
}

/** A path as the file writes it. */
function keyText(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : /^[\w-]+$/.test(String(key)) ? `.${String(key)}` : `.${quote(String(key))}`))
    .join('')
    .replace(/^\./, '');
}

/** Quotes the value. Never quotes values under `[agents]`, because they may be secrets. */
function foundText(value: unknown, path: Path): string {
  const secret = path[0] === 'agents';
  if (typeof value === 'string') return secret ? 'a string' : `the string ${quote(value)}`;
  if (typeof value === 'number' || typeof value === 'bigint') return secret ? 'a number' : `the number ${value}`;
  if (typeof value === 'boolean') return secret ? 'true or false' : String(value);
  if (Array.isArray(value)) return 'a list';
  return value instanceof Date ? 'a date' : 'a table';
}

function quote(text: string): string {
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
