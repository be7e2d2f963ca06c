import { z } from 'zod';
import { type Database, prepared } from '../database.ts';
import { type DeliveryReason, reasonColumn } from './delivery-reason.ts';
import { UNSETTLED } from './delivery-summary.ts';

const DELIVERY_STATES = ['queued', 'held', 'typed', 'submitted', 'acked', 'done', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const deliverySchema = z.object({
  id: z.string(),
  seq: z.int(),
  worker: z.string(),
  /** `compact`: the CLI's own command, typed as it is. `nudge`: a question to an agent without progress. */
  purpose: z.enum(['task', 'message', 'feedback', 'continue', 'conflict', 'compact', 'nudge']),
  /** What the user or llmc wanted to say. */
  text: z.string(),
  /** What was sent last, as the adapter made it safe; null until something was. */
  sent_text: z.string().nullable(),
  /** JSON array: what the adapter changed in it. */
  changes: z.string(),
  /** 1 when the agent's context must be cleared first. */
  fresh_conversation: z.int(),
  state: z.enum(DELIVERY_STATES),
  /** Why it is held, queued again, failed or over. */
  reason: reasonColumn.nullable(),
  attempt: z.int(),
  /** The life of the agent it was typed into; before the first attempt, the one whose conversation was cleared for it. */
  incarnation: z.int().nullable(),
  /** The last event known when typing began: only a later one can be the acknowledgement. */
  after_event: z.int().nullable(),
  acked_event: z.int().nullable(),
  /** `unverified`: the prompt was typed once, and nothing shows whether the agent has it. */
  ack_source: z.enum(['hook', 'screen', 'transcript', 'protocol', 'unverified']).nullable(),
  /** The conversation that was known when typing began, and how long the CLI's record of it was. */
  record_conversation: z.string().nullable(),
  record_bytes: z.int().nullable(),
  created_ms: z.int(),
  /** When the sender of feedback was told what became of it. */
  told_ms: z.int().nullable(),
  typed_ms: z.int().nullable(),
  submitted_ms: z.int().nullable(),
  acked_ms: z.int().nullable(),
  done_ms: z.int().nullable(),
});

export type Delivery = Readonly<z.infer<typeof deliverySchema>>;
export type NewDelivery = Pick<Delivery, 'id' | 'worker' | 'purpose' | 'text' | 'fresh_conversation' | 'created_ms'>;

export function insertDelivery(database: Database, row: NewDelivery): void {
  prepared(
    database,
    `INSERT INTO deliveries (id, seq, worker, purpose, text, changes, fresh_conversation, state, attempt, created_ms)
       VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM deliveries), ?, ?, ?, '[]', ?, 'queued', 0, ?)`,
  ).run(row.id, row.worker, row.purpose, row.text, row.fresh_conversation, row.created_ms);
}

export function updateDelivery(database: Database, id: string, fields: Partial<Delivery>): void {
  const entries = Object.entries(z.encode(deliverySchema.partial(), fields));
  if (entries.length === 0) return;
  const assignments = entries.map(([name]) => `${name} = ?`).join(', ');
  prepared(database, `UPDATE deliveries SET ${assignments} WHERE id = ?`).run(...entries.map(([, value]) => value ?? null), id);
}

export function findDelivery(database: Database, id: string): Delivery | undefined {
  return parse(prepared(database, 'SELECT * FROM deliveries WHERE id = ?').get(id));
}

/** The one delivery a worker is busy with: the oldest that has not reached the agent. */
export function nextDelivery(database: Database, worker: string): Delivery | undefined {
  return parse(prepared(database, `SELECT * FROM deliveries WHERE worker = ? AND state IN ${UNSETTLED} ORDER BY seq LIMIT 1`).get(worker));
}

/** The feedback that a worker got last for its present task. */
export function lastFeedback(database: Database, worker: string): Delivery | undefined {
  const sql = "SELECT * FROM deliveries WHERE worker = ? AND purpose IN ('task', 'feedback') ORDER BY seq DESC LIMIT 1";
  const row = parse(prepared(database, sql).get(worker));
  return row?.purpose === 'feedback' ? row : undefined;
}

/** Its state only: every pass asks for it. */
export function nextState(database: Database, worker: string): DeliveryState | undefined {
  const row = prepared(database, `SELECT state FROM deliveries WHERE worker = ? AND state IN ${UNSETTLED} ORDER BY seq LIMIT 1`).get(
    worker,
  );
  return DELIVERY_STATES.find((state) => state === row?.state);
}

/** Since when a worker's prompt is in its agent's box or on its way; undefined when none is. */
export function inFlightSince(database: Database, worker: string): number | undefined {
  const sql =
    "SELECT coalesce(submitted_ms, typed_ms) AS since FROM deliveries WHERE worker = ? AND state IN ('typed', 'submitted') LIMIT 1";
  const since = prepared(database, sql).get(worker)?.since;
  return typeof since === 'number' ? since : undefined;
}

/** When the last prompt was sent that a worker's agent may still work on; undefined without one. */
export function sentSince(database: Database, worker: string): number | undefined {
  const sql =
    "SELECT max(coalesce(submitted_ms, typed_ms)) AS since FROM deliveries WHERE worker = ? AND state IN ('typed', 'submitted', 'acked')";
  const since = prepared(database, sql).get(worker)?.since;
  return typeof since === 'number' ? since : undefined;
}

/** Moves a message before the other waiting messages. A prompt that was typed stays first, and so does a task: it starts a conversation. */
export function putBeforeMessages(database: Database, worker: string, id: string): void {
  const others = "worker = ? AND id <> ? AND purpose = 'message' AND state IN ('queued', 'held')";
  const first = prepared(database, `SELECT min(seq) AS seq FROM deliveries WHERE ${others}`).get(worker, id)?.seq;
  if (typeof first !== 'number') return;
  prepared(database, `UPDATE deliveries SET seq = seq + 1 WHERE ${others}`).run(worker, id);
  updateDelivery(database, id, { seq: first });
}

/** Accepted by the agent, its turn not ended yet. */
export function ackedDeliveries(database: Database, worker: string): readonly Delivery[] {
  return prepared(database, "SELECT * FROM deliveries WHERE worker = ? AND state = 'acked' ORDER BY seq")
    .all(worker)
    .map((row) => deliverySchema.parse(row));
}

export function recentDeliveries(database: Database, worker: string, limit: number): readonly Delivery[] {
  return prepared(database, 'SELECT * FROM deliveries WHERE worker = ? ORDER BY seq DESC LIMIT ?')
    .all(worker, limit)
    .map((row) => deliverySchema.parse(row));
}

/** Those that were typed at least once, the latest first: however many prompts wait, they hide none of these. */
export function typedDeliveries(database: Database, worker: string, limit: number): readonly Delivery[] {
  return prepared(database, 'SELECT * FROM deliveries WHERE worker = ? AND typed_ms IS NOT NULL ORDER BY seq DESC LIMIT ?')
    .all(worker, limit)
    .map((row) => deliverySchema.parse(row));
}

/** Those of all workers that no agent has yet, in the order in which each agent gets them. */
export function undelivered(database: Database): readonly Delivery[] {
  return prepared(database, `SELECT * FROM deliveries WHERE state IN ${UNSETTLED} ORDER BY worker, seq`)
    .all()
    .map((row) => deliverySchema.parse(row));
}

/** Those that are not on their way, in their order. */
export function waitingDeliveries(database: Database, worker: string): readonly Delivery[] {
  return prepared(database, "SELECT * FROM deliveries WHERE worker = ? AND state IN ('queued', 'held') ORDER BY seq")
    .all(worker)
    .map((row) => deliverySchema.parse(row));
}

/**
 * Whether the agent was sent something since it stopped, or will be told to continue. Event numbers decide the order, not clocks. Where
 * only the screen showed the stop, a prompt in flight counts too: it has not changed the screen yet.
 */
export function isAnswered(database: Database, worker: string, stop: { readonly event: number | null; readonly at: number }): boolean {
  const since = stop.event === null ? "coalesce(submitted_ms, typed_ms) >= ? OR state IN ('typed', 'submitted')" : 'after_event >= ?';
  const sql = `SELECT 1 FROM deliveries WHERE worker = ? AND (
      (purpose = 'continue' AND state IN ('queued', 'held')) OR (typed_ms IS NOT NULL AND (${since}))
    ) LIMIT 1`;
  return database.prepare(sql).get(worker, stop.event ?? stop.at) !== undefined;
}

/** Ends the deliveries that a reset or an accept made pointless. */
export function cancelDeliveries(database: Database, worker: string, reason: DeliveryReason, now: number): void {
  const sql = `UPDATE deliveries SET state = 'failed', reason = ? WHERE worker = ? AND state IN ${UNSETTLED}`;
  prepared(database, sql).run(z.encode(reasonColumn, reason), worker);
  prepared(database, "UPDATE deliveries SET state = 'done', done_ms = ? WHERE worker = ? AND state = 'acked'").run(now, worker);
}

/** Ends the questions how far the task is that no agent has: something else answers them, or asks again. */
export function withdrawNudges(
  database: Database,
  worker: string,
  why: Extract<DeliveryReason['kind'], 'person_called' | 'turn_over' | 'asked_again' | 'told_to_save'>,
): void {
  for (const { id, purpose } of waitingDeliveries(database, worker))
    if (purpose === 'nudge') updateDelivery(database, id, { state: 'failed', reason: { kind: why } });
}

/**
 * Records that the agent of a worker's next prompt does not run. A prompt that was typed keeps its state: it says what has to be
 * checked before the prompt is typed again.
 */
export function holdForAgent(database: Database, worker: string): void {
  const row = nextDelivery(database, worker);
  if (row === undefined) return;
  const isTyped = row.state === 'typed' || row.state === 'submitted';
  updateDelivery(database, row.id, { ...(!isTyped && { state: 'held' }), reason: { kind: 'not_running' } });
}

/** Deletes the deliveries of a worker that was removed. The history keeps what became of it. */
export function forgetDeliveries(database: Database, worker: string): void {
  prepared(database, 'DELETE FROM deliveries WHERE worker = ?').run(worker);
}

function parse(row: unknown): Delivery | undefined {
  return row === undefined ? undefined : deliverySchema.parse(row);
}

/** Finished deliveries kept, of all workers together; each may hold a prompt of 256 KB twice. */
const SETTLED_KEPT = 2_000;

export function pruneDeliveries(database: Database): void {
  database
    .prepare("DELETE FROM deliveries WHERE state IN ('done', 'failed') AND seq <= (SELECT max(seq) FROM deliveries) - ?")
    .run(SETTLED_KEPT);
}
