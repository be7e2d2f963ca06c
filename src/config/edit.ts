import { isDeepStrictEqual } from 'node:util';
import { patch } from '@decimalturn/toml-patch';
import { parse } from 'smol-toml';
import { LlmcError } from '../base/error.ts';
import { parseConfig } from './parse.ts';
import { type WorkerOverrides, workerSectionSchema } from './schema.ts';
import { cutTable } from './toml/cut-table.ts';
import { tomlValue } from './toml/toml-text.ts';
import { parseWorkerName } from './worker-name.ts';

type Table = Record<string, unknown>;

/**
 * Adds the table of a worker. An existing table keeps its lines and gets the overrides, so a second call
 * changes nothing.
 */
export function addWorkerTable(source: string, name: string, overrides: WorkerOverrides = {}): string {
  const { mark, text } = withoutMark(source);
  parseWorkerName(name);
  if (!workerSectionSchema.safeParse(overrides).success)
    throw new LlmcError('INVALID_ARGUMENT', `The settings given for "${name}" cannot be stored`);
  const workers = parseWorkers(text);
  const wanted = Object.fromEntries(
    Object.entries(overrides).flatMap(([key, value]) => (value === undefined ? [] : [[key, wellFormed(value)]])),
  );
  const merged = { ...workers, [name]: { ...table(workers[name]), ...wanted } };
  if (same(merged, workers)) return source;
  return (
    mark + firstThatReads(merged, [() => (Object.hasOwn(workers, name) ? text : append(text, name, wanted)), () => patched(text, merged)])
  );
}

/** Removes a worker's table with its comments. Returns the same text if there is none. */
export function removeWorker(source: string, name: string): string {
  const { mark, text } = withoutMark(source);
  const { [name]: removed, ...rest } = parseWorkers(text);
  if (removed === undefined) return source;
  return mark + firstThatReads(rest, [() => cutTable(text, ['workers', name]), () => patched(text, rest)]);
}

/** Written without toml-patch, which would put a new `[workers.<name>]` before the first table as one long line. */
function append(text: string, name: string, entries: Table): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith(`${lineEnd}${lineEnd}`) ? '' : text.endsWith('\n') ? lineEnd : `${lineEnd}${lineEnd}`;
  const lines = Object.entries(entries).map(([key, value]) => `${key} = ${tomlValue(scalar(value), lineEnd)}`);
  return `${text}${gap}${[`[workers.${name}]`, ...lines, ''].join(lineEnd)}`;
}

/** For inline tables and dotted keys, which cannot be edited line by line. */
function patched(text: string, workers: Table): string {
  return patch(text, { ...parse(text), workers }, { inlineTableStart: 2 });
}

/** Parses every edit again, so that a wrong one never reaches the disk. */
function firstThatReads(expected: Table, edits: readonly (() => string)[]): string {
  for (const edit of edits) {
    try {
      const text = edit();
      if (same(parseWorkers(text), expected)) return text;
    } catch {
      // This editor cannot edit this file; try the next one.
    }
  }
  throw new LlmcError('CONFIG_INVALID', 'The workers in config.toml are written in a way llmc cannot edit', {
    hint: 'Write each worker as its own table, [workers.<name>], and try again.',
  });
}

function parseWorkers(text: string): Table {
  parseConfig(text, 'config.toml');
  return table(parse(text).workers);
}

/** Removes a byte order mark, which would become part of the first key. */
function withoutMark(source: string): { mark: string; text: string } {
  return source.startsWith('\uFEFF') ? { mark: '\uFEFF', text: source.slice(1) } : { mark: '', text: source };
}

function table(value: unknown): Table {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function same(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right)));
}

function wellFormed(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function scalar(value: unknown): string | boolean | readonly string[] {
  return Array.isArray(value) ? value.map(String) : typeof value === 'boolean' ? value : String(value);
}
