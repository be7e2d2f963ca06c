import type { Database } from '../../store/database.ts';
import type { SaidKind } from '../../store/tables/said.ts';
import { type Excerpt, makeExcerpt, termPattern } from './excerpt.ts';
import type { CommandOutput } from './read-outputs.ts';

/** `log`: what llmc did and why, as in `llmc logs`. `output`: what the user's commands printed. */
export type HitKind = 'task' | 'message' | SaidKind | 'log' | 'output';

export interface SearchHit extends Excerpt {
  readonly kind: HitKind;
  readonly at_ms: number;
  readonly worker: string | null;
  /** The number of the task: the one found, or the one that the worker had at that time. */
  readonly task: number | null;
}

export interface SearchRequest {
  /** All of them must be in the same text, in upper or lower case. */
  readonly terms: readonly string[];
  readonly worker?: string | undefined;
  readonly limit: number;
}

export interface SearchResult {
  /** The newest first. */
  readonly hits: readonly SearchHit[];
  /** Whether there are older ones. */
  readonly more: boolean;
}

/** A table in which people and agents left words. `own`: the worker that a row is about. */
interface Source {
  readonly table: string;
  readonly kind: string;
  readonly at: string;
  readonly text: string;
  readonly own: string;
  readonly task: string;
  readonly only?: string;
  /** The newest first. */
  readonly order: string;
}

/** The task that the worker of a row had at that time. */
const taskAt = (worker: string, at: string): string =>
  `(SELECT number FROM queue WHERE given_to = ${worker} AND given_ms <= ${at} ORDER BY given_ms DESC LIMIT 1)`;

const SOURCES: readonly Source[] = [
  {
    table: 'queue',
    kind: "'task'",
    at: 'created_ms',
    text: 'prompt',
    own: 'coalesce(given_to, worker)',
    task: 'number',
    order: 'number DESC',
  },
  {
    table: 'deliveries',
    kind: "iif(purpose = 'task', 'task', 'message')",
    at: 'created_ms',
    text: 'text',
    own: 'worker',
    task: taskAt('deliveries.worker', 'deliveries.created_ms'),
    // The queue has the task itself, without the rules that llmc puts before it. A run gives tasks that are not in the queue.
    only: "(purpose IN ('message', 'feedback') OR purpose = 'task' AND NOT EXISTS (SELECT 1 FROM queue WHERE delivery = deliveries.id))",
    order: 'seq DESC',
  },
  { table: 'said', kind: 'kind', at: 'at_ms', text: 'text', own: 'worker', task: 'task', order: 'seq DESC' },
  {
    table: 'answers',
    kind: "'answer'",
    at: 'given_ms',
    text: 'text',
    own: 'worker',
    task: 'number',
    order: 'rowid DESC',
    // What an agent reported itself is in the table before.
    only: "source = 'screen'",
  },
  {
    table: 'history',
    kind: "'log'",
    at: 'at_ms',
    text: "summary || char(10) || coalesce(details, '')",
    own: 'worker',
    task: taskAt('history.worker', 'history.at_ms'),
    order: 'seq DESC',
  },
];

const KINDS: readonly HitKind[] = ['task', 'message', 'answer', 'question', 'permission', 'error', 'log'];

/** Searches the tasks, the messages, what agents said and the history of a root, and the output of commands. */
export function searchRoot(database: Database, request: SearchRequest, outputs: readonly CommandOutput[] = []): SearchResult {
  const { terms, limit } = request;
  const found = SOURCES.flatMap((source) => listRows(database, source, request))
    .concat(outputRows(database, terms, outputs))
    .sort((one, other) => other.at_ms - one.at_ms);
  const hits = found.slice(0, limit).map(({ text, ...row }) => ({ ...row, ...makeExcerpt(text, terms) }));
  return { hits, more: found.length > limit };
}

type Row = Omit<SearchHit, 'text' | 'marks'> & { readonly text: string };

function listRows(database: Database, source: Source, { terms, worker, limit }: SearchRequest): readonly Row[] {
  const { table, kind, at, text, own, task, order, only } = source;
  const conditions = [only, ...terms.map((term) => contains(database, text, term)), worker === undefined ? undefined : `${own} = ?`];
  const where = conditions.filter((condition) => condition !== undefined).join(' AND ');
  const sql = `SELECT ${kind} AS kind, ${at} AS at_ms, ${own} AS worker, ${task} AS task, ${text} AS text FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ?`;
  const values = [...terms.map(toLike), ...(worker === undefined ? [] : [worker]), limit + 1];
  return database
    .prepare(sql)
    .all(...values)
    .map((row) => ({
      kind: KINDS.find((known) => known === row.kind) ?? 'log',
      at_ms: Number(row.at_ms),
      worker: row.worker === null ? null : String(row.worker),
      task: row.task === null ? null : Number(row.task),
      text: String(row.text),
    }));
}

function outputRows(database: Database, terms: readonly string[], outputs: readonly CommandOutput[]): readonly Row[] {
  const found = outputs.filter(({ text }) => terms.every((term) => termPattern([term]).test(text)));
  if (found.length === 0) return [];
  const query = database.prepare(`SELECT ${taskAt('?', '?')} AS task`);
  return found.map(({ worker, at, text }) => {
    const task = query.get(worker, at)?.task ?? null;
    return { kind: 'output', at_ms: at, worker, task: task === null ? null : Number(task), text };
  });
}

const isPlain = (term: string): boolean => /^[\x20-\x7e]*$/.test(term);
const toLike = (term: string): string => (isPlain(term) ? `%${term.replace(/[\\%_]/g, '\\$&')}%` : term);

/** LIKE of SQLite ignores the case of ASCII letters only. */
function contains(database: Database, text: string, term: string): string {
  if (isPlain(term)) return `(${text}) LIKE ? ESCAPE '\\'`;
  const patterns = new Map<unknown, RegExp>();
  database.function('llmc_contains', { deterministic: true }, (value, wanted) => {
    const pattern = patterns.get(wanted) ?? termPattern([String(wanted)]);
    patterns.set(wanted, pattern);
    return String(value).search(pattern) === -1 ? 0 : 1;
  });
  return `llmc_contains(${text}, ?)`;
}
