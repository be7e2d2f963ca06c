import { createHash } from 'node:crypto';
import { describeError } from '../../base/error.ts';
import { type Database, prepared } from '../../store/database.ts';
import type { CheckpointType } from '../model/action.ts';
import { isOver, type Run } from '../model/run.ts';
import { stagesIn } from '../model/stage-at.ts';
import { roleAt } from '../next/seat.ts';

export const KEPT_CHECKPOINTS = 10;
/** What a checkpoint lists, the newest first: the tables have all of it, and a checkpoint must not grow with its run. */
const LISTED_ERRORS = 20;
const LISTED_MESSAGES = 200;

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
      ...[run.id, at, `no ${type} checkpoint was stored: ${describeError(error)}`],
    );
  }
}

export function hashState(state: string): string {
  return createHash('sha256').update(state).digest('hex');
}

function insert(database: Database, { run, state, type, note, at }: NewCheckpoint): void {
  const steps = Object.values(run.steps);
  const messages = listMessages(database, run.id);
  const addresses = (wanted: boolean) => JSON.stringify(steps.filter((step) => isOver(step) === wanted).map(({ address }) => address));
  prepared(
    database,
    `INSERT INTO checkpoints (id, run, type, created_by, version, state_json, sha256, agent_states_json, message_queue_json,
        completed_stages_json, pending_stages_json, processed_messages_json, errors_json, recovery_attempts_json, notes, created_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  ).run(
    ...[`${run.id}.v${run.version}`, run.id, type, createdBy(type), run.version, state, hashState(state)],
    ...[JSON.stringify(agentStates(run, messages)), JSON.stringify(messageQueue(database, run, messages))],
    ...[addresses(true), addresses(false), JSON.stringify(processedIds(messages))],
    ...[JSON.stringify(lastErrors(database, run.id)), JSON.stringify(lastRecoveries(database, run.id)), note, at],
  );
}

function createdBy(type: CheckpointType): 'auto' | 'manual' | 'error' {
  if (type === 'manual') return 'manual';
  return type === 'before_retry' || type === 'error_recovery' ? 'error' : 'auto';
}

function agentStates(run: Run, messages: readonly Message[]): readonly object[] {
  const { plan, roles, steps } = run;
  const stages = stagesIn(run);
  return Object.keys(plan.roles).map((role) => {
    const own = stages.filter((stage) => roleAt(stage) === role).flatMap(({ id }) => steps[id] ?? []);
    const last = own.findLast(({ startedMs }) => startedMs !== null);
    const { agent = 'own', unavailable = false } = roles[role] ?? {};
    const sent = messages.filter(({ to }) => to === role);
    const times = [...own.flatMap(({ startedMs, endedMs }) => [startedMs ?? 0, endedMs ?? 0]), ...sent.map(({ at }) => at)];
    return {
      role,
      agent,
      status: unavailable ? 'unavailable' : (last?.state.kind ?? 'waiting'),
      last_task: last?.address ?? null,
      message_count: sent.length,
      last_activity_ms: Math.max(0, ...times) || null,
    };
  });
}

interface Message {
  readonly key: string;
  readonly at: number;
  readonly from: string;
  readonly to: string;
  /** The run has decided on it. */
  readonly processed: boolean;
}

/** The messages of the run, the newest first. Their texts stay where they are. */
function listMessages(database: Database, run: string): readonly Message[] {
  // A run has thousands of events, and their keys have an index.
  return prepared(
    database,
    `SELECT key, at_ms, consumed, event_json ->> 'from' AS sender, event_json ->> 'to' AS receiver FROM run_events
      WHERE run = ? AND (key >= 'message:' AND key < 'message;' OR key >= 'file:' AND key < 'file;')
        AND CASE WHEN json_valid(event_json) THEN event_json ->> 'kind' END = 'message' ORDER BY seq DESC`,
  )
    .all(run)
    .map(({ key, at_ms, consumed, sender, receiver }) => ({
      key: String(key),
      at: Number(at_ms),
      from: String(sender),
      to: String(receiver),
      processed: consumed === 1,
    }));
}

function processedIds(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ key, processed }) => (processed ? [key] : [])).slice(0, LISTED_MESSAGES);
}

/**
 * By role. `inboxes`: the messages that it has still to get: with its next task (`letters`), or at its work (`on_the_way`, by worker).
 * `outboxes`: those that it has sent and that the run has not decided on.
 */
function messageQueue(database: Database, { id, plan, roles }: Run, messages: readonly Message[]): object {
  const rows = prepared(
    database,
    `SELECT data_json ->> 'seat' AS seat, data_json ->> 'to' AS receiver FROM run_tasks
      WHERE run = ? AND kind = 'deliver' AND state <> 'done'`,
  ).all(id);
  const names = Object.keys(plan.roles);
  const perRole = <T>(of: (role: string) => T) => Object.fromEntries(names.map((role) => [role, of(role)]));
  const letters = perRole((role) => roles[role]?.letters.length ?? 0);
  const last = (role: string) => messages.find(({ to, processed }) => processed && to === role)?.at ?? null;
  return {
    inboxes: perRole((role) => (letters[role] ?? 0) + rows.filter(({ receiver }) => receiver === role).length),
    outboxes: perRole((role) => messages.filter(({ from, processed }) => !processed && from === role).length),
    last_processed_ms: perRole(last),
    on_the_way: countBy(rows.map(({ seat }) => String(seat))),
    letters,
  };
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((each) => each === name).length]));
}

/** What llmc did about the failures, and what the result was. */
function lastRecoveries(database: Database, run: string): readonly object[] {
  return prepared(
    database,
    `SELECT id AS error, recovery_strategy AS strategy, outcome, created_ms FROM error_log
      WHERE run = ? AND recovery_strategy IS NOT NULL ORDER BY created_ms DESC, rowid DESC LIMIT ?`,
  ).all(run, LISTED_ERRORS);
}

function lastErrors(database: Database, run: string): readonly object[] {
  return prepared(
    database,
    `SELECT id, code, severity, message, component, agent_role, recovered, recovery_strategy, outcome, created_ms FROM error_log
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
