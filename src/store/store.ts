import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { LlmcError } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import type { Clock, Files } from '../base/ports.ts';
import { systemFiles } from '../system/files/system-files.ts';
import { type Database, inTransaction, prepared } from './database.ts';
import { decideState } from './decide-state.ts';
import { findWorker } from './find-worker.ts';
import { type Layout, RUN_HEAD_FILE } from './layout.ts';
import { openOwned } from './open-owned.ts';
import { inOwnPlaces, type State, stateSchema, type Worker } from './state.ts';
import { readStateFile, writeStateFile } from './state-file.ts';
import { recordIn } from './state-record.ts';
import { type HistoryEntry, insertHistory } from './tables/history.ts';

export interface StateChange {
  readonly worker: string | null;
  readonly kind: string;
  /** What changed and why, as `llmc why` prints it. */
  readonly summary: string;
  readonly details?: string;
  /** It is done about a failure, so it belongs into the recovery log, whatever its kind. */
  readonly recovers?: boolean;
  /** Leaves no line in the history and the log: the same as the last time. */
  readonly silent?: boolean;
  /** The history has its line already: it is only told to those who listen. */
  readonly recorded?: boolean;
  /** Changes the draft in place. Without it only the database is written, which saves two of three waits for the disk. */
  readonly state?: (draft: State) => void;
  /** Rows written in the same transaction as the journal entry. */
  readonly rows?: (database: Database) => void;
}

/** A change of one worker, with what belongs to it. */
export interface WorkerChange extends Omit<StateChange, 'worker' | 'state'> {
  /** Changes the worker in the draft in place; the whole draft is given for what changes with it. */
  readonly change: (worker: Worker, draft: State) => void;
}

/**
 * The one writer of a root: `state.json` (what is) and `llmc.db` (what happened).
 * The database gets the new state first, as a redo record under the new revision;
 * after a crash before the file is replaced, the next opening restores it from there.
 */
export class Store implements Disposable {
  readonly layout: Layout;
  readonly database: Database;
  /** What was found broken and repaired when the store was opened, as sentences, with those before. */
  readonly repairs: readonly string[];
  /** What the owner repaired before it could open the store. */
  readonly repairsBefore: readonly string[];
  /** Those of them that the history has already. */
  readonly recordedRepairs: ReadonlySet<string>;
  readonly files: Files;
  readonly #clock: Clock;
  readonly #changed = new EventEmitter<{ change: [HistoryEntry] }>();
  #state: State;
  /** What this process last wrote to the file. */
  #written: string | undefined;
  #fileIsBehind = false;
  readonly #hadConfig: boolean;

  /** The caller has the root's lock, and says what it repaired before. */
  constructor(layout: Layout, clock: Clock, files: Files = systemFiles, before: readonly string[] = []) {
    this.layout = layout;
    this.files = files;
    this.#clock = clock;
    this.#changed.setMaxListeners(0);
    const repairs: string[] = [...before];
    this.repairs = repairs;
    this.repairsBefore = before;
    const recorded = new Set<string>();
    this.recordedRepairs = recorded;
    this.#hadConfig = files.exists(layout.config);
    const { database, fresh } = openOwned(layout.database, clock.now(), {
      files,
      copies: layout.copies,
      stateIsKept: () => [layout.state, layout.stateBackup].some((path) => readStateFile(path, files).kind === 'ok'),
      runHasFiles: (run) => files.exists(join(layout.runs, run, RUN_HEAD_FILE)),
      report: (what, options) => {
        repairs.push(what);
        if (options?.recorded === true) recorded.add(what);
      },
    });
    this.database = database;
    this.#state = inOwnPlaces(
      this.#repair((what) => repairs.push(what)),
      layout.worktree,
    );
    // Every change of the state is written to the database first, so only a state without changes comes from a root without one.
    if (fresh && this.#state.revision > 0)
      repairs.push('llmc.db was missing, and a new one was started. The history and undelivered prompts are lost.');
  }

  get state(): State {
    return this.#state;
  }

  worker(name: string): Worker {
    return findWorker(this.#state, name);
  }

  commit(change: StateChange): void {
    const next = change.state === undefined ? this.#state : this.#changedState(change.state);
    const { worker, kind, summary, details, recovers = false } = change;
    const entry: HistoryEntry = { at: this.#clock.now(), worker, kind, summary, ...(details !== undefined && { details }), recovers };
    fault('state:before-journal');
    inTransaction(this.database, () => {
      if (next !== this.#state) this.#journal(next);
      if (change.silent !== true && change.recorded !== true) insertHistory(this.database, entry, next.revision, statusAfter(next, worker));
      change.rows?.(this.database);
    });
    fault('state:after-journal');
    if (next !== this.#state) {
      this.#state = next;
      this.#fileIsBehind = true;
      this.syncFile();
    }
    if (change.silent !== true) this.#changed.emit('change', entry);
  }

  /** For a worker that was removed meanwhile, writes only the history and the rows. */
  changeWorker(name: string, { change, ...rest }: WorkerChange): void {
    this.commit({
      ...rest,
      worker: name,
      state: (draft) => {
        const worker = draft.workers[name];
        if (worker !== undefined) change(worker, draft);
      },
    });
  }

  #changedState(change: (draft: State) => void): State {
    const draft = structuredClone(this.#state);
    change(draft);
    draft.revision += 1;
    return stateSchema.parse(draft);
  }

  #journal(state: State): void {
    prepared(
      this.database,
      'INSERT INTO state_journal (only_row, revision, state) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET revision = excluded.revision, state = excluded.state',
    ).run(state.revision, JSON.stringify(state));
  }

  /** Calls the listener after every change. A listener that throws is reported as a warning: the change has been made, and others listen too. */
  onCommit(listener: (entry: HistoryEntry) => void): void {
    this.#changed.on('change', (entry) => {
      try {
        listener(entry);
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    });
  }

  /** Brings `state.json` up to the journal. Returns why not: a full disk leaves it behind until the next call, with nothing lost. */
  syncFile(): unknown {
    if (!this.#fileIsBehind || this.#isRemoved()) return undefined;
    try {
      this.#written = writeStateFile(this.layout, this.#state, this.#written, this.files);
      this.#fileIsBehind = false;
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** A file written while `rm -rf` removes the root would stay behind, and so would the directory. */
  #isRemoved(): boolean {
    return this.#hadConfig && !this.files.exists(this.layout.config) && !this.files.exists(this.layout.database);
  }

  /** Resolves with the first defined answer, asking again after every change; undefined when time runs out. */
  async until<T>(ask: () => T | undefined, timeoutMs: number, signal?: AbortSignal): Promise<T | undefined> {
    const timeout = AbortSignal.timeout(Math.min(timeoutMs, 2 ** 31 - 1));
    const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    for (;;) {
      const answer = ask();
      if (answer !== undefined || either.aborted) return answer;
      await once(this.#changed, 'change', { signal: either }).catch(() => undefined);
    }
  }

  [Symbol.dispose](): void {
    this.syncFile();
    this.database.close();
  }

  #repair(report: (what: string) => void): State {
    const file = readStateFile(this.layout.state, this.files);
    const journal = recordIn(this.database);
    const found = { file: file.kind === 'ok' ? file.state.revision : file.kind, record: journal?.revision };
    // Most openings need no backup.
    const read = file.kind === 'ok' ? undefined : readStateFile(this.layout.stateBackup, this.files);
    const backup = read?.kind === 'ok' ? read.state : undefined;
    const step = decideState({ ...found, backup: backup?.revision });
    if (step.kind === 'keep' && file.kind === 'ok') return file.state;
    const restored = step.kind !== 'restore' ? undefined : step.from === 'record' ? journal : backup;
    if (step.kind !== 'restore' || restored === undefined) {
      const problem = file.kind === 'broken' ? `cannot be read: ${file.problem}` : 'is missing';
      throw new LlmcError('STATE_INVALID', `${this.layout.state} ${problem}`, { hint: 'llmc doctor' });
    }
    if (step.reported) {
      const what = step.setAside ? `could not be read${this.#setAside()}` : 'was missing';
      report(`state.json ${what}. The state was restored from ${step.from === 'record' ? 'llmc.db' : 'its backup, which may be older'}.`);
    }
    this.#written = writeStateFile(this.layout, restored, undefined, this.files);
    return restored;
  }

  /** A broken file is evidence: it is kept under another name, never overwritten. */
  #setAside(): string {
    if (!this.files.exists(this.layout.state)) return '';
    const aside = `${this.layout.state}.broken-${this.#clock.now()}`;
    this.files.rename(this.layout.state, aside);
    return ` and is kept as ${aside}`;
  }
}

function statusAfter({ workers }: State, worker: string | null): string | null {
  return worker !== null && Object.hasOwn(workers, worker) ? (workers[worker]?.status ?? null) : null;
}
