import { z } from 'zod';
import { describeError, LlmcError } from '../../base/error.ts';
import type { Breaker } from '../../recovery/decide-breaker.ts';
import { DEGRADATION_LEVELS } from '../../recovery/degradation.ts';
import { type Database, inTransaction, prepared } from '../../store/database.ts';
import { jsonColumn } from '../../store/tables/json-column.ts';
import { KEPT_CHECKPOINTS, writeCheckpoint } from '../checkpoint/write-checkpoint.ts';
import type { Plan } from '../definition/plan.ts';
import type { CheckpointRecord, RunRecord } from '../model/action.ts';
import type { Escalation } from '../model/escalation.ts';
import type { RunEvent, What } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import type {
  FailedAttempt,
  HistoryLine,
  LoggedError,
  LoggedRetry,
  RetryOutcome,
  RunCommit,
  RunStore,
  RunSummary,
  Undecided,
} from './ports.ts';
import { RUN_STATUSES, runStateSchema, type StoredRunState } from './run-schema.ts';
import { savedRun } from './saved-run.ts';
import { readProviders, writeProvider } from './sqlite-breakers.ts';
import { readItemSteps, withoutItems, writeItemSteps } from './sqlite-items.ts';
import { writeError, writeQuestion, writeRetry } from './sqlite-notes.ts';
import { dropMessages, dropUnwanted, insertRunTask } from './sqlite-queue.ts';

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;

const runRow = z.object({
  id: z.string(),
  plan_json: jsonColumn(z.custom<Plan>((value) => isRecord(value))),
  inputs_json: jsonColumn(z.record(z.string(), z.unknown())),
  status: z.enum(RUN_STATUSES),
  version: z.int(),
  state_json: jsonColumn(runStateSchema),
});

const eventRow = z.object({
  run: z.string(),
  key: z.string(),
  at_ms: z.int(),
  dice: z.number(),
  event_json: jsonColumn(z.custom<What>((value) => isRecord(value))),
});

const summaryRow = z.object({
  id: z.string(),
  workflow: z.string(),
  status: z.enum(RUN_STATUSES),
  version: z.int(),
  degradation_level: z.enum(DEGRADATION_LEVELS),
  created_ms: z.int(),
  ended_ms: z.int().nullable(),
});

/** A run that was read back from its files. */
interface Adopted {
  readonly run: Run;
  readonly before: Run;
  readonly records: {
    readonly errors: readonly LoggedError[];
    readonly questions: readonly Escalation[];
    readonly retries: readonly LoggedRetry[];
    readonly history: readonly Omit<HistoryLine, 'seq'>[];
  };
  readonly note: string;
}

export class SqliteRuns implements RunStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  create(run: Run, first: RunEvent): Promise<boolean> {
    const created = inTransaction(this.#database, () => {
      const isNew = this.#insertRun(run);
      if (isNew) this.#insertEvent(run.id, first);
      return isNew;
    });
    return Promise.resolve(created);
  }

  /**
   * Stores a run that was rebuilt from its files with its records, and a checkpoint of what it was before. False: there is a run with
   * this id.
   */
  adopt({ run, before, records, note }: Adopted, at: number): Promise<boolean> {
    const adopted = inTransaction(this.#database, () => {
      if (!this.#insertRun(run)) return false;
      writeItemSteps(this.#database, run, Object.keys(run.steps));
      for (const error of records.errors) writeError(this.#database, run.id, error, error.at);
      for (const question of records.questions) writeQuestion(this.#database, run.id, question);
      for (const retry of records.retries) writeRetry(this.#database, run.id, retry);
      for (const line of records.history) this.#writeHistory(run.id, line.step, line.text, line.at);
      writeCheckpoint(this.#database, {
        ...toStoredCheckpoint(run, { kind: 'checkpoint', type: 'error_recovery', note, run: before }),
        at,
        keep: 1,
      });
      this.#writeHistory(run.id, null, note, at);
      return true;
    });
    return Promise.resolve(adopted);
  }

  #insertRun(run: Run): boolean {
    const { id, plan, inputs, status, version, clock } = run;
    const { changes } = prepared(
      this.#database,
      `INSERT INTO runs (id, workflow, digest, plan_json, inputs_json, status, version, state_json, degradation_level, created_ms, ended_ms, wake_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ).run(
      ...[id, plan.name, plan.digest, JSON.stringify(plan), JSON.stringify(inputs), status, version],
      ...[JSON.stringify(withoutItems(toStoredState(run))), run.level, clock.startedMs, clock.endedMs, run.dismissMs],
    );
    return Number(changes) === 1;
  }

  load(id: string): Promise<Run | undefined> {
    const found = prepared(this.#database, 'SELECT id, plan_json, inputs_json, status, version, state_json FROM runs WHERE id = ?').get(id);
    if (found === undefined) return Promise.resolve(undefined);
    try {
      const { plan_json: plan, inputs_json: inputs, state_json: state, ...row } = runRow.parse(found);
      return Promise.resolve({ ...state, ...row, plan, inputs, steps: { ...state.steps, ...readItemSteps(this.#database, id) } });
    } catch (cause) {
      return Promise.reject(unreadable(id, cause));
    }
  }

  list(): Promise<readonly RunSummary[]> {
    const rows = prepared(
      this.#database,
      'SELECT id, workflow, status, version, degradation_level, created_ms, ended_ms FROM runs ORDER BY created_ms DESC, rowid DESC',
    ).all();
    return Promise.resolve(
      rows.flatMap((row) => {
        const read = summaryRow.safeParse(row);
        // One damaged row must not hide the other runs.
        if (!read.success) return [];
        const { degradation_level: level, created_ms: createdMs, ended_ms: endedMs, ...rest } = read.data;
        return [{ ...rest, level, createdMs, endedMs }];
      }),
    );
  }

  post(run: string, event: RunEvent): Promise<boolean> {
    return Promise.resolve(this.#insertEvent(run, event));
  }

  #insertEvent(run: string, { key, at, dice, what }: RunEvent): boolean {
    const { changes } = prepared(
      this.#database,
      `INSERT INTO run_events (run, key, at_ms, dice, event_json) SELECT id, ?, ?, ?, ? FROM runs WHERE id = ? ON CONFLICT DO NOTHING`,
    ).run(key, at, dice, JSON.stringify(what), run);
    return Number(changes) === 1;
  }

  undecided(): Promise<readonly Undecided[]> {
    const rows = prepared(
      this.#database,
      `SELECT run, key, at_ms, dice, event_json FROM run_events
        WHERE seq IN (SELECT min(seq) FROM run_events WHERE consumed = 0 GROUP BY run) ORDER BY seq`,
    ).all();
    return Promise.resolve(rows.map(toUndecided));
  }

  commit(commit: RunCommit): Promise<boolean> {
    return Promise.resolve(inTransaction(this.#database, () => this.#write(commit)));
  }

  #write({ version, event, decision, wakeAt, at, keepCheckpoints }: RunCommit): boolean {
    const { run, actions, records, changedSteps } = decision;
    const saved = savedRun({ decision, at });
    const state = JSON.stringify(withoutItems(toStoredState(saved)));
    const { changes } = prepared(
      this.#database,
      `UPDATE runs SET status = ?, version = ?, state_json = ?, degradation_level = ?, wake_ms = ?, ended_ms = ?
        WHERE id = ? AND version = ? AND EXISTS (SELECT 1 FROM run_events WHERE run = runs.id AND key = ? AND consumed = 0)`,
    ).run(...[run.status, run.version, state, run.level, wakeAt, run.clock.endedMs, run.id, version, event]);
    if (Number(changes) !== 1) return false;
    prepared(this.#database, 'UPDATE run_events SET consumed = 1 WHERE run = ? AND key = ?').run(run.id, event);
    writeItemSteps(this.#database, run, changedSteps);
    dropUnwanted(this.#database, run);
    for (const action of actions) insertRunTask(this.#database, run.id, action, at);
    for (const record of records) this.#writeRecord(saved, record, at, keepCheckpoints);
    return true;
  }

  #writeRecord(run: Run, record: RunRecord, at: number, keep = KEPT_CHECKPOINTS): void {
    switch (record.kind) {
      case 'history':
        return this.#writeHistory(run.id, record.step, record.text, at);
      case 'error':
        return writeError(this.#database, run.id, { ...record.error, outcome: null }, at);
      case 'checkpoint':
        return writeCheckpoint(this.#database, { ...toStoredCheckpoint(run, record), at, keep });
      case 'settled':
        prepared(
          this.#database,
          `UPDATE error_log SET outcome = ?, recovered = ?
            WHERE run = ? AND component = ? AND outcome IS NULL AND recovery_strategy IS NOT NULL AND (? IS NULL OR code = ?)`,
        ).run(record.outcome, Number(record.outcome === 'recovered'), run.id, record.step, record.code ?? null, record.code ?? null);
        return;
      case 'question':
        return writeQuestion(this.#database, run.id, record.question);
      case 'provider':
        return writeProvider(this.#database, record, at);
      case 'plan':
        return this.#writePlan(run, record.before, at);
      case 'drop_messages':
        return dropMessages(this.#database, run.id);
    }
  }

  #writePlan({ id, plan }: Run, before: Plan, at: number): void {
    prepared(this.#database, 'INSERT INTO run_plans (run, digest, plan_json, until_ms) VALUES (?, ?, ?, ?)').run(
      ...[id, before.digest, JSON.stringify(before), at],
    );
    prepared(this.#database, 'UPDATE runs SET digest = ?, plan_json = ? WHERE id = ?').run(plan.digest, JSON.stringify(plan), id);
  }

  retried(run: string, key: string, failed: readonly FailedAttempt[], outcome: RetryOutcome | null): Promise<void> {
    inTransaction(this.#database, () => {
      for (const each of failed) writeRetry(this.#database, run, { ...each, key, outcome });
      if (outcome === null) return;
      const sql = 'UPDATE run_retries SET outcome = ? WHERE run = ? AND key = ? AND outcome IS NULL';
      prepared(this.#database, sql).run(outcome, run, key);
    });
    return Promise.resolve();
  }

  providers(): Promise<Readonly<Record<string, Breaker>>> {
    return Promise.resolve(readProviders(this.#database));
  }

  note(run: string, text: string, at: number, step: string | null = null): Promise<void> {
    this.#writeHistory(run, step, text, at);
    return Promise.resolve();
  }

  #writeHistory(run: string, step: string | null, text: string, at: number): void {
    prepared(this.#database, 'INSERT INTO run_history (run, step, at_ms, text) VALUES (?, ?, ?, ?)').run(run, step, at, text);
  }

  due(now: number): Promise<readonly string[]> {
    const rows = prepared(
      this.#database,
      `SELECT id FROM runs WHERE wake_ms <= ? AND NOT EXISTS (SELECT 1 FROM run_events WHERE run = runs.id AND consumed = 0) ORDER BY wake_ms`,
    ).all(now);
    return Promise.resolve(rows.map((row) => z.object({ id: z.string() }).parse(row).id));
  }

  nextDue(): Promise<number | null> {
    // As for `due`: a run that is set aside, with an event that waits, must not keep the engine awake.
    const row = prepared(
      this.#database,
      `SELECT min(wake_ms) AS at FROM runs
        WHERE wake_ms IS NOT NULL AND NOT EXISTS (SELECT 1 FROM run_events WHERE run = runs.id AND consumed = 0)`,
    ).get();
    return Promise.resolve(z.object({ at: z.int().nullable() }).parse(row).at);
  }
}

/** An event that cannot be read stops its own run only. */
function toUndecided(row: Record<string, unknown>): Undecided {
  try {
    const { run, key, at_ms: at, dice, event_json: what } = eventRow.parse(row);
    return { run, event: { key, at, dice, what } };
  } catch (cause) {
    const run = String(row.run);
    return { run, error: unreadable(run, cause) };
  }
}

function unreadable(run: string, cause: unknown): LlmcError {
  return new LlmcError('STATE_INVALID', `the record of ${run} cannot be read`, {
    details: describeError(cause),
    cause,
    hint: 'Restore llmc.db from a copy, or begin the run again; its workers and their work are still there: llmc status',
  });
}

function toStoredCheckpoint(committed: Run, { type, note, run = committed }: CheckpointRecord) {
  const { version } = committed;
  return { run: { ...run, version }, state: JSON.stringify(toStoredState(run)), type, note };
}

function toStoredState({ id: _id, plan: _plan, inputs: _inputs, status: _status, version: _version, ...state }: Run): StoredRunState {
  return state;
}
