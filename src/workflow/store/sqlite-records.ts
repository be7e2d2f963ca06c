import { z } from 'zod';
import { errorSchema } from '../../recovery/errors/error-schema.ts';
import { type Database, prepared } from '../../store/database.ts';
import { jsonColumn } from '../../store/tables/json-column.ts';
import { CHECKPOINT_TYPES, RECOVERY_OUTCOMES, TASK_KINDS } from '../model/action.ts';
import type { Escalation } from '../model/escalation.ts';
import {
  type CheckpointSummary,
  type ErrorQuery,
  type HistoryLine,
  type LoggedError,
  type LoggedRetry,
  type OpenTask,
  RETRY_OUTCOMES,
  type RunRecords,
} from './ports.ts';
import { escalationSchema } from './run-schema.ts';
import { hasOpenWork } from './sqlite-archive.ts';

const historyRow = z.object({ seq: z.int(), step: z.string().nullable(), at_ms: z.int(), text: z.string() });
const errorRow = z.object({ error_json: jsonColumn(errorSchema), outcome: z.enum(RECOVERY_OUTCOMES).nullable() });
const questionRow = z.object({ question_json: jsonColumn(escalationSchema) });
const retryRow = z.object({
  step: z.string().nullable(),
  operation: z.string(),
  key: z.string(),
  attempt: z.int(),
  at_ms: z.int(),
  delay_ms: z.int().nullable(),
  error_json: jsonColumn(errorSchema),
  outcome: z.enum(RETRY_OUTCOMES).nullable(),
});
const loggedRow = errorRow.extend({ run: z.string() });
const addresses = jsonColumn(z.array(z.string()));
const checkpointRow = z.object({
  id: z.string(),
  type: z.enum(CHECKPOINT_TYPES),
  version: z.int(),
  created_ms: z.int(),
  notes: z.string(),
  completed_stages_json: addresses,
  pending_stages_json: addresses,
});
const taskRow = z.object({
  id: z.string(),
  step: z.string(),
  kind: z.enum(TASK_KINDS),
  state: z.enum(['open', 'claimed']),
  run_at_ms: z.int(),
  attempt: z.int(),
});

/** Reads only, so that it also serves beside a running supervisor. */
export class SqliteRecords implements RunRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  history(run: string, after = 0): Promise<readonly HistoryLine[]> {
    const sql = 'SELECT seq, step, at_ms, text FROM run_history WHERE run = ? AND seq > ? ORDER BY seq';
    const rows = prepared(this.#database, sql).all(run, after);
    return Promise.resolve(rows.map((row) => historyRow.parse(row)).map(({ at_ms: at, ...rest }) => ({ ...rest, at })));
  }

  errors(run: string): Promise<readonly LoggedError[]> {
    const rows = prepared(this.#database, 'SELECT error_json, outcome FROM error_log WHERE run = ? ORDER BY created_ms, rowid').all(run);
    return Promise.resolve(rows.map((row) => errorRow.parse(row)).map(({ error_json: error, outcome }) => ({ ...error, outcome })));
  }

  questions(run: string): Promise<readonly Escalation[]> {
    const rows = prepared(this.#database, 'SELECT question_json FROM run_questions WHERE run = ? ORDER BY number').all(run);
    return Promise.resolve(rows.map((row) => questionRow.parse(row).question_json));
  }

  retries(run: string): Promise<readonly LoggedRetry[]> {
    const sql = `SELECT step, operation, key, attempt, at_ms, delay_ms, error_json, outcome FROM run_retries WHERE run = ? ORDER BY seq`;
    const rows = prepared(this.#database, sql).all(run);
    return Promise.resolve(
      rows
        .map((row) => retryRow.parse(row))
        .map(({ at_ms: at, delay_ms: delayMs, error_json: error, ...rest }) => ({ ...rest, at, delayMs, error })),
    );
  }

  errorLog({ run, code, severity, step, role, open = false, since = 0, limit }: ErrorQuery): ReturnType<RunRecords['errorLog']> {
    const rows = prepared(
      this.#database,
      `SELECT run, error_json, outcome FROM error_log
        WHERE (:run IS NULL OR run = :run) AND (:code IS NULL OR code = :code) AND (:severity IS NULL OR severity = :severity)
          AND (:step IS NULL OR component = :step) AND (:role IS NULL OR agent_role = :role)
          AND (:open = 0 OR recovered = 0) AND created_ms >= :since
        ORDER BY created_ms DESC, rowid DESC LIMIT :limit`,
    ).all({
      run: run ?? null,
      code: code ?? null,
      severity: severity ?? null,
      step: step ?? null,
      role: role ?? null,
      open: Number(open),
      since,
      limit,
    });
    const found = rows.map((row) => loggedRow.parse(row));
    return Promise.resolve(found.toReversed().map(({ run: id, error_json: error, outcome }) => ({ ...error, run: id, outcome })));
  }

  checkpoints(run: string): Promise<readonly CheckpointSummary[]> {
    const sql = `SELECT id, type, version, created_ms, notes, completed_stages_json, pending_stages_json
                   FROM checkpoints WHERE run = ? ORDER BY version DESC, rowid DESC`;
    const rows = prepared(this.#database, sql).all(run);
    return Promise.resolve(
      rows.map((row) => {
        const { id, type, version, created_ms: at, notes: note, ...stages } = checkpointRow.parse(row);
        return { id, type, version, at, note, completed: stages.completed_stages_json, pending: stages.pending_stages_json };
      }),
    );
  }

  openTasks(run: string): Promise<readonly OpenTask[]> {
    const sql = "SELECT id, step, kind, state, run_at_ms, attempt FROM run_tasks WHERE run = ? AND state <> 'done' ORDER BY seq";
    const rows = prepared(this.#database, sql).all(run);
    return Promise.resolve(rows.map((row) => taskRow.parse(row)).map(({ run_at_ms: runAt, ...rest }) => ({ ...rest, runAt })));
  }

  hasOpenWork(run: string): Promise<boolean> {
    return Promise.resolve(hasOpenWork(this.#database, run));
  }

  isDecided(run: string, key: string): Promise<boolean> {
    const row = prepared(this.#database, 'SELECT consumed FROM run_events WHERE run = ? AND key = ?').get(run, key);
    return Promise.resolve(Number(row?.consumed ?? 0) === 1);
  }
}
