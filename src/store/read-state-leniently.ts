import { describeError, LlmcError } from '../base/error.ts';
import { exists, readText } from '../system/files/files.ts';
import { type Database, openReadOnly } from './database.ts';
import type { Layout } from './layout.ts';
import type { State, Worker } from './state.ts';
import { STATUSES } from './statuses.ts';

interface LenientState {
  readonly state: State;
  /** What is wrong with `state.json`, and what was read instead. */
  readonly problem?: string;
}

type OpenToRead = (path: string) => Database;
type Shape = { readonly kind: 'ok'; readonly state: State } | { readonly kind: 'broken'; readonly problem: string };

/** The state for a process without the root's lock. */
export function readStateLeniently(layout: Layout, open: OpenToRead = openReadOnly): State {
  return readStateFileLeniently(layout, open).state;
}

/**
 * Reads the state as the next supervisor would restore it: from the redo record where the file is behind or broken, else from the backup.
 * llmc checked it fully before it wrote it, so checking its shape is enough here, and is ten times as fast as loading the schema.
 */
export function readStateFileLeniently(layout: Layout, open: OpenToRead = openReadOnly): LenientState {
  const file = readShape(() => readText(layout.state));
  const record = readShape(() => newerRecord(layout, open, file.kind === 'ok' ? file.state.revision : -1));
  if (file.kind === 'ok') return { state: record.kind === 'ok' ? record.state : file.state };
  const problem = `${layout.state} ${exists(layout.state) ? `cannot be read: ${file.problem}` : 'is missing'}`;
  if (record.kind === 'ok')
    return { state: record.state, problem: `${problem}; this is the copy in llmc.db, and the next llmc up repairs the file` };
  const backup = readShape(() => readText(layout.stateBackup));
  if (backup.kind === 'ok') return { state: backup.state, problem: `${problem}; this is its backup, which may be older` };
  throw new LlmcError('STATE_INVALID', problem, { hint: 'llmc doctor' });
}

/** The kinds of what `status` and `why` read, because a process of an agent may have written the file. */
const TEXTS = ['worktree_path', 'branch', 'session_id', 'agent'] as const;
const NUMBERS = ['created_at_unix', 'last_activity_unix', 'crash_count', 'incarnation'] as const;
const TEXTS_OR_NULL = ['current_prompt', 'commit_sha', 'conversation_id', 'summary', 'answer', 'landed_on'] as const;
const FAILURE_NUMBERS = ['attempt', 'attempts', 'since_ms'] as const;
const LIMIT_TEXTS = ['account', 'worker', 'why'] as const;
const LIMIT_NUMBERS = ['until_ms', 'since_ms'] as const;

function isSound({ version, revision, workers, limits }: State): boolean {
  if (version !== 1 || !Number.isInteger(revision) || Array.isArray(workers) || Array.isArray(limits)) return false;
  return (
    Object.entries(workers).every(([key, worker]) => key === worker.name && isSoundWorker(worker)) &&
    Object.values(limits).every(isSoundLimit)
  );
}

function isSoundWorker(worker: Worker): boolean {
  const { name, status, status_before_offline: before, attention, conflicted_files } = worker;
  return (
    /^[a-z][a-z0-9-]{0,31}$/.test(name) &&
    STATUSES.includes(status) &&
    (before === null || STATUSES.includes(before)) &&
    TEXTS.every((key) => typeof worker[key] === 'string') &&
    NUMBERS.every((key) => Number.isInteger(worker[key])) &&
    TEXTS_OR_NULL.every((key) => worker[key] === null || typeof worker[key] === 'string') &&
    isSoundRun(worker.run) &&
    isSoundSize(worker.work_size) &&
    isSoundPool(worker.pool) &&
    (attention === null || typeof attention.kind === 'string') &&
    Array.isArray(conflicted_files) &&
    isSoundFailure(worker.failed_turn)
  );
}

function isSoundRun(run: Worker['run']): boolean {
  if (run === null) return true;
  return typeof run.id === 'string' && typeof run.role === 'string' && (run.model === null || typeof run.model === 'string');
}

function isSoundSize(size: Worker['work_size']): boolean {
  return size === null || [size.insertions, size.deletions, size.files].every((count) => Number.isInteger(count));
}

function isSoundPool(pool: Worker['pool']): boolean {
  return pool === null || (typeof pool.agent === 'string' && (pool.model === null || typeof pool.model === 'string'));
}

function isSoundFailure(failed: Worker['failed_turn']): boolean {
  if (failed === null) return true;
  const { error, message, until_ms: until } = failed;
  const texts = typeof error === 'string' && typeof message === 'string';
  return texts && FAILURE_NUMBERS.every((key) => Number.isInteger(failed[key])) && (until === null || Number.isInteger(until));
}

function isSoundLimit(limit: State['limits'][string]): boolean {
  return LIMIT_TEXTS.every((key) => typeof limit[key] === 'string') && LIMIT_NUMBERS.every((key) => Number.isInteger(limit[key]));
}

function newerRecord(layout: Layout, open: OpenToRead, revision: number): string {
  using database = open(layout.database);
  return String(database.prepare('SELECT state FROM state_journal WHERE revision > ?').get(revision)?.state);
}

function readShape(text: () => string): Shape {
  try {
    const state: State = JSON.parse(text());
    return isSound(state) ? { kind: 'ok', state } : { kind: 'broken', problem: 'it is not a state file of this version' };
  } catch (error) {
    return { kind: 'broken', problem: describeError(error) };
  }
}
