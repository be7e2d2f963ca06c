import type { Instant } from '../../base/ports.ts';
import { shortId } from '../../base/short-id.ts';
import type { Config } from '../../config/schema.ts';
import type { TakenPrompt } from '../../recovery/decide-taken.ts';
import { isLimit } from '../../recovery/usage-limit.ts';
import type { Attention } from '../../store/attention.ts';
import type { Database } from '../../store/database.ts';
import type { Worker } from '../../store/state.ts';
import { ackedDeliveries, type Delivery, typedDeliveries, updateDelivery } from '../../store/tables/deliveries.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { inRecord } from '../agent-files/recorded.ts';
import type { Watch } from '../observe/watch.ts';

/** The prompts of the incarnation that ended, each with what the CLI's own record says about it. */
export function takenPrompts(
  { store, files }: WorkContext,
  { name, reported, tmux }: Watch,
  acked: readonly Delivery[],
  config: Config,
): readonly TakenPrompt[] {
  const worker = store.worker(name);
  const limited = isLimit(reported.latest?.activity);
  // At a usage limit and after a failed turn the turn has ended, and the task has not.
  const stopped = limited || worker.failed_turn !== null;
  const endedTurn = reported.lastTurn?.seq ?? 0;
  // The next prompt is typed only after a command has ended, whether or not the CLI reports that.
  const hasEnded = (row: Delivery) => isUpTo(reported.lastCompaction, row) || acked.some(({ seq }) => seq > row.seq);
  const isOver = (row: Delivery) => (isCommand(row) ? hasEnded(row) : !stopped && isUpTo(endedTurn, row));
  if (acked.every(isOver)) return [];
  // llmc replaces an agent that still runs, as for its memory: such an agent writes down what it has before it ends.
  const runs = typeof tmux.pane !== 'string' && !tmux.pane.dead;
  // The CLI has written down all of a turn that ended. A failed turn stays known until one ends well, so later prompts are looked for.
  const failedAt = worker.failed_turn?.event ?? 0;
  const isWritten = (row: Delivery) => runs || limited || isUpTo(failedAt, row);
  const rows = [...acked, ...typedDeliveries(store.database, name, 20)];
  const record = acked.every(isWritten) ? undefined : inRecord(files, worker, loadAgent(config, worker.agent), config, rows);
  const found = (row: Delivery) => {
    if (isCommand(row)) return 'missing';
    return record === undefined || isWritten(row) ? 'held' : record(row);
  };
  return acked.map((row) => ({ id: row.id, began: row.fresh_conversation === 1, over: isOver(row), record: found(row) }));
}

/** No record has the CLI's own command as a prompt. One that was cut off has left nothing behind, so it is sent again. */
const isCommand = ({ purpose }: Delivery): boolean => purpose === 'compact';

const isUpTo = (event: number, { acked_event }: Delivery): boolean => acked_event !== null && acked_event <= event;

type Question = Extract<Attention, { kind: 'question' }>;

/** A question that a prompt can answer. One that llmc could not read is asked again by the agent. */
export function askedQuestion({ attention }: Worker): Question | undefined {
  return attention?.kind === 'question' && !attention.unread ? attention : undefined;
}

/** Keeps the question of an agent that ended: the resumed conversation has it, and its dialog is gone. `llmc answer` sends the answer as a prompt. */
export function keepQuestion({ store, clock }: Pick<WorkContext, 'store' | 'clock'>, { name }: Worker, question: Question): void {
  store.changeWorker(name, {
    kind: 'delivery',
    recovers: true,
    summary: 'the agent ended while it asked; it continues with the answer',
    change: (worker) => Object.assign(worker, { attention: { ...question, gone: true } satisfies Attention }),
    rows: (database) => cutShort(database, name, clock.now()),
  });
}

export function cutShort(database: Database, name: string, now: Instant): void {
  for (const row of ackedDeliveries(database, name))
    updateDelivery(database, row.id, { state: 'done', done_ms: now, reason: { kind: 'cut_short' } });
}

/** Its acknowledgement was of an incarnation that forgot it. */
const NOT_TAKEN = {
  state: 'queued',
  reason: { kind: 'not_recorded' },
  attempt: 0,
  acked_event: null,
  ack_source: null,
  typed_ms: null,
  submitted_ms: null,
  acked_ms: null,
  done_ms: null,
} as const satisfies Partial<Delivery>;

export const sentAgain = ({ id }: Delivery): string => `${shortId(id)}: queued again, the agent ended before its own record had it`;

/** Queues prompts again, in their order; `before`: ahead of the row with this number. */
export function queueAgain(database: Database, lost: readonly Delivery[], before?: number): void {
  for (const [index, { id }] of lost.entries())
    updateDelivery(database, id, { ...NOT_TAKEN, ...(before !== undefined && { seq: before - lost.length + index }) });
}

export function sendAgain({ store }: Pick<WorkContext, 'store'>, name: string, lost: readonly Delivery[]): void {
  const summary = lost.map(sentAgain).join('; ');
  store.commit({ worker: name, kind: 'delivery', recovers: true, summary, rows: (database) => queueAgain(database, lost) });
}
