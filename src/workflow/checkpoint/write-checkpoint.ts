import { createHash } from 'node:crypto';
import { messageOf } from '../../base/error.ts';
import { type Database, prepared } from '../../store/database.ts';
import type { CheckpointType } from '../model/action.ts';
import { isOver, type Run } from '../model/run.ts';
import { stagesIn } from '../model/stage-at.ts';
import { roleAt } from '../next/seat.ts';

export const KEPT_CHECKPOINTS = 10;
/** The errors that a checkpoint lists, the newest first; the error log has all of them. */
const LISTED_ERRORS = 20;

interface NewCheckpoint {
  readonly run: Run;
  /** What of the run a recovery reads. */
  readonly state: string;
  readonly type: CheckpointType;
  readonly note: string;
  readonly at: number;
  readonly keep: number;
}

/** Called in the transaction that commits a run. A checkpoint that cannot be stored does not hold up the run: the history says so. */
export function writeCheckpoint(database: Database, checkpoint: NewCheckpoint): void {
  database.exec('SAVEPOINT checkpoint');
  try {
    insert(database, checkpoint);
    prune(database, checkpoint);
    database.exec('RELEASE checkpoint');
  } catch (error) {
    // A full disk ends the whole transaction; the commit itself then reports it.
    if (!database.isTransaction) throw error;
    database.exec('ROLLBACK TO checkpoint; RELEASE checkpoint');
    const { run, at, type } = checkpoint;
    prepared(database, 'INSERT INTO run_history (run, step, at_ms, text) VALUES (?, NULL, ?, ?)').run(
      ...[run.id, at, `no ${type} checkpoint was stored: ${messageOf(error)}`],
    );
  }
}

export function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}

function insert(database: Database, { run, state, type, note, at }: NewCheckpoint): void {
  const steps = Object.values(run.steps);
  const addresses = (wanted: boolean) => JSON.stringify(steps.filter((step) => isOver(step) === wanted).map(({ address }) => address));
  prepared(
    database,
    `INSERT INTO checkpoints (id, run, type, created_by, version, state_json, sha256, agent_states_json, message_queue_json,
        completed_stages_json, pending_stages_json, errors_json, notes, created_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  ).run(
    ...[`${run.id}.v${run.version}`, run.id, type, createdBy(type), run.version, state, hashOf(state)],
    ...[JSON.stringify(agentStates(run)), JSON.stringify(waitingMessages(database, run))],
    ...[addresses(true), addresses(false), JSON.stringify(lastErrors(database, run.id)), note, at],
  );
}

function createdBy(type: CheckpointType): 'auto' | 'manual' | 'error' {
  if (type === 'manual') return 'manual';
  return type === 'before_retry' || type === 'error_recovery' ? 'error' : 'auto';
}

function agentStates(run: Run): readonly object[] {
  const { plan, roles, steps } = run;
  const stages = stagesIn(run);
  return Object.keys(plan.roles).map((role) => {
    const own = stages.filter((stage) => roleAt(stage) === role).flatMap(({ id }) => steps[id] ?? []);
    const last = own.findLast(({ startedMs }) => startedMs !== null);
    const { agent = 'own', unavailable = false } = roles[role] ?? {};
    return { role, agent, status: unavailable ? 'unavailable' : (last?.state.kind ?? 'waiting'), last_task: last?.address ?? null };
  });
}

/** How many messages each worker is about to get, and how many wait for the next task of each role. */
function waitingMessages(database: Database, { id, roles }: Run): object {
  const rows = prepared(
    database,
    `SELECT data_json ->> 'seat' AS seat, count(*) AS waiting FROM run_tasks
      WHERE run = ? AND kind = 'deliver' AND state <> 'done' GROUP BY 1`,
  ).all(id);
  return {
    on_the_way: Object.fromEntries(rows.map(({ seat, waiting }) => [String(seat), Number(waiting)])),
    letters: Object.fromEntries(Object.entries(roles).map(([role, { letters }]) => [role, letters.length])),
  };
}

function lastErrors(database: Database, run: string): readonly object[] {
  return prepared(
    database,
    `SELECT id, code, severity, component, recovered, recovery_strategy, created_ms FROM error_log
      WHERE run = ? ORDER BY created_ms DESC, rowid DESC LIMIT ?`,
  ).all(run, LISTED_ERRORS);
}

/** Those that a person saved count for themselves: ten minutes of periodic ones would push them out. */
function prune(database: Database, { run, type, keep }: NewCheckpoint): void {
  prepared(
    database,
    `DELETE FROM checkpoints WHERE run = :run AND (type = 'manual') = :manual AND id NOT IN
       (SELECT id FROM checkpoints WHERE run = :run AND (type = 'manual') = :manual ORDER BY version DESC, rowid DESC LIMIT :keep)`,
  ).run({ run: run.id, manual: Number(type === 'manual'), keep });
}
