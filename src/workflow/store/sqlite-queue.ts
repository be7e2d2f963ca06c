import { z } from 'zod';
import { type Database, inTransaction, prepared } from '../../store/database.ts';
import { jsonColumn } from '../../store/tables/json-column.ts';
import { type Action, HELD_KINDS, LASTING_KINDS, type Task } from '../model/action.ts';
import { listActions, type Run } from '../model/run.ts';
import type { Claim, ClaimRequest, DueTask, TaskQueue } from './ports.ts';

const taskRow = z.object({
  id: z.string(),
  run: z.string(),
  step: z.string(),
  data_json: jsonColumn(z.custom<Task>((value) => typeof value === 'object' && value !== null && 'kind' in value)),
  attempt: z.int(),
  run_at_ms: z.int(),
  /** Of the last claim, unless it gave the task back itself. */
  host: z.string().nullable(),
});

/** Tasks of one key are performed one after the other: those of one worker, or of one step that has none. */
function toKey(run: string, { step, task }: Action): string {
  return 'seat' in task ? `${run}/${task.seat}` : `${run}/${step}`;
}

/** Called in the transaction that commits a run. */
export function insertRunTask(database: Database, run: string, action: Action, at: number): void {
  prepared(
    database,
    `INSERT INTO run_tasks (id, seq, run, run_key, step, kind, data_json, run_at_ms, state)
       VALUES (?, (SELECT coalesce(max(rowid), 0) + 1 FROM run_tasks), ?, ?, ?, ?, ?, ?, 'open') ON CONFLICT DO NOTHING`,
  ).run(action.id, run, toKey(run, action), action.step, action.task.kind, JSON.stringify(action.task), at);
}

/** Takes out the tasks of a run that no step waits for: one that was rolled back, skipped or aborted must not start an agent. */
export function dropUnwanted(database: Database, { id, steps }: Run): void {
  const wanted = Object.values(steps).flatMap(({ state }) => listActions(state));
  prepared(
    database,
    `UPDATE run_tasks SET state = 'done' WHERE run_key > ? || '/' AND run_key < ? || '0' AND state <> 'done' AND state = 'open'
       AND kind NOT IN (SELECT value FROM json_each(?)) AND id NOT IN (SELECT value FROM json_each(?))`,
  ).run(id, id, JSON.stringify(LASTING_KINDS), JSON.stringify(wanted));
}

/** Takes out the messages of a run that nobody has begun to deliver. */
export function dropMessages(database: Database, run: string): void {
  prepared(database, "UPDATE run_tasks SET state = 'done' WHERE run = ? AND kind = 'deliver' AND state = 'open'").run(run);
}

const HELD_WORDS = HELD_KINDS.map((kind) => `'${kind}'`).join(', ');
const isHeld = (task: string): string =>
  `(${task}.kind IN (${HELD_WORDS}) AND (SELECT status FROM runs WHERE id = ${task}.run) IN ('pausing', 'paused'))`;

/**
 * The oldest task of a key, if nobody holds a living lease on it. One that cannot be read holds up its own key only. One that was never
 * claimed is due at once, also after the clock went back. What a pause holds up does not hold up the end of a session.
 */
const CLAIMABLE = `
  SELECT id, run, step, data_json, attempt, run_at_ms, host FROM run_tasks AS task
   WHERE state <> 'done' AND (attempt = 0 OR run_at_ms <= :now) AND (state = 'open' OR lease_until_ms <= :now) AND json_valid(data_json)
     AND NOT ${isHeld('task')}
     AND NOT EXISTS (SELECT 1 FROM run_tasks AS before WHERE before.run_key = task.run_key AND before.state <> 'done' AND before.seq < task.seq
                       AND NOT (before.state = 'open' AND ${isHeld('before')}))`;

export class SqliteQueue implements TaskQueue {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  claimable(now: number): Promise<readonly DueTask[]> {
    const rows = prepared(this.#database, `${CLAIMABLE} ORDER BY seq`).all({ now });
    return Promise.resolve(
      rows.map((row) => {
        const { id, run, step, data_json: task, run_at_ms: since } = taskRow.parse(row);
        return { run, action: { id, step, task }, since };
      }),
    );
  }

  nextAt(now: number): Promise<number | null> {
    const row = prepared(
      this.#database,
      `SELECT min(CASE state WHEN 'open' THEN run_at_ms ELSE lease_until_ms END) AS at FROM run_tasks
        WHERE state <> 'done' AND CASE state WHEN 'open' THEN run_at_ms ELSE lease_until_ms END > ?`,
    ).get(now);
    return Promise.resolve(z.object({ at: z.int().nullable() }).parse(row).at);
  }

  takeBack(host: string): Promise<void> {
    prepared(this.#database, "UPDATE run_tasks SET state = 'open', lease_until_ms = NULL WHERE state <> 'done' AND host = ?").run(host);
    return Promise.resolve();
  }

  claim({ host, now, leaseMs, limit, except = [] }: ClaimRequest): Promise<readonly Claim[]> {
    const claimed = inTransaction(this.#database, () => {
      const rows = prepared(
        this.#database,
        `${CLAIMABLE} AND id NOT IN (SELECT value FROM json_each(:except)) ORDER BY seq LIMIT :limit`,
      ).all({ now, limit, except: JSON.stringify(except) });
      return rows.map((row) => this.#take(taskRow.parse(row), host, now + leaseMs));
    });
    return Promise.resolve(claimed);
  }

  #take({ id, run, step, data_json: task, attempt, host: last }: z.infer<typeof taskRow>, host: string, until: number): Claim {
    prepared(this.#database, "UPDATE run_tasks SET state = 'claimed', attempt = ?, lease_until_ms = ?, host = ? WHERE id = ?").run(
      ...[attempt + 1, until, host, id],
    );
    return { run, action: { id, step, task }, attempt: attempt + 1, host, takenOver: last !== null };
  }

  heartbeat(claim: Claim, until: number): Promise<boolean> {
    return this.#change(claim, 'lease_until_ms = ?', until);
  }

  settle(claim: Claim): Promise<boolean> {
    return this.#change(claim, "state = 'done', lease_until_ms = ?", null);
  }

  release(claim: Claim, runAt: number): Promise<boolean> {
    return this.#change(claim, "state = 'open', lease_until_ms = NULL, host = NULL, run_at_ms = ?", runAt);
  }

  /** Only the last claim may change its task. */
  #change({ action, attempt }: Claim, assignment: string, value: number | null): Promise<boolean> {
    const { changes } = prepared(
      this.#database,
      `UPDATE run_tasks SET ${assignment} WHERE id = ? AND attempt = ? AND state = 'claimed'`,
    ).run(value, action.id, attempt);
    return Promise.resolve(Number(changes) === 1);
  }
}
