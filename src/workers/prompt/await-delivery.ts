import { isDeepStrictEqual } from 'node:util';
import { LlmcError } from '../../base/error.ts';
import type { Attention } from '../../store/attention.ts';
import type { Database } from '../../store/database.ts';
import { type Delivery, findDelivery, nextDelivery } from '../../store/tables/deliveries.ts';
import type { DeliveryReason } from '../../store/tables/delivery-reason.ts';
import type { WorkContext } from '../context.ts';
import { attentionText } from '../status/attention-text.ts';
import { reasonText } from './delivery-reason-text.ts';

/** The state of a delivery when its sender stops waiting. */
export interface Sent extends Pick<Delivery, 'id' | 'worker' | 'state' | 'attempt'> {
  readonly reason: string | null;
  readonly reason_kind: DeliveryReason['kind'] | null;
}

/**
 * Waits until the agent has acknowledged the prompt, until it is held for a reason that `enough` accepts, or until its worker has no
 * agent that llmc would start again by itself.
 */
export async function awaitDelivery(
  context: Pick<WorkContext, 'store' | 'signal' | 'say' | 'clock'>,
  id: string,
  timeoutMs: number,
  enough: (reason: DeliveryReason | null) => boolean = () => false,
): Promise<Sent> {
  const words = (reason: DeliveryReason) => reasonText(reason, context.clock.now());
  let said: DeliveryReason | null = null;
  const settled = await context.store.until(
    () => {
      const row = forItsSender(context.store.database, id);
      if (row === undefined) return 'withdrawn';
      if (row.state === 'held' && row.reason !== null && !isDeepStrictEqual(row.reason, said)) {
        said = row.reason;
        context.say(`Held: ${words(row.reason)}`);
      }
      if (row.state === 'acked' || row.state === 'done' || row.state === 'failed') return row;
      if (hasNoAgent(context, row.worker)) return { ...row, state: 'held', reason: { kind: 'not_running' } } satisfies Delivery;
      return row.state === 'held' && enough(row.reason) ? row : undefined;
    },
    timeoutMs,
    context.signal,
  );
  const row = settled ?? forItsSender(context.store.database, id);
  // The row exists before anything waits for it, and is deleted only with its worker.
  if (row === undefined || row === 'withdrawn')
    throw new LlmcError('DELIVERY_FAILED', 'the prompt was withdrawn: its worker was removed before the agent acknowledged it', {
      hint: 'llmc status; what it left behind: llmc rescue list',
    });
  if (row.state === 'failed')
    throw new LlmcError('DELIVERY_FAILED', `the prompt was not delivered: ${row.reason === null ? 'unknown reason' : words(row.reason)}`, {
      hint: `llmc why ${row.worker}`,
    });
  if (settled === undefined) {
    const problem = `${row.worker} has not acknowledged the prompt yet (${row.reason === null ? row.state : words(row.reason)})`;
    if (context.signal.aborted)
      throw new LlmcError(
        'SUPERVISOR_NOT_RUNNING',
        `the supervisor stopped and ${problem}; it stays queued, and llmc sends it at the next up`,
        {
          hint: 'llmc up --detach',
        },
      );
    throw new LlmcError('WAIT_TIMEOUT', `${problem}; it stays queued and will be delivered`, { hint: `llmc why ${row.worker}` });
  }
  const { worker, state, attempt, reason } = row;
  return { id, worker, state, attempt, reason: reason && words(reason), reason_kind: reason?.kind ?? null };
}

/** Throws if the agent was given up while the sender waited. Returns what became of the prompt otherwise. */
export function requireAgent(context: Pick<WorkContext, 'store'>, sent: Sent): Sent {
  const { worker } = sent;
  if (sent.reason_kind !== 'not_running' || !hasNoAgent(context, worker)) return sent;
  const attention = context.store.worker(worker).attention ?? { kind: 'no_session' };
  throw new LlmcError('AGENT_CRASHED', `the prompt stays queued for ${worker}. ${attentionText(worker, attention)}`, {
    hint: `llmc why ${worker}`,
  });
}

/** Attentions of a failed worker whose agent still runs and takes prompts. */
const RUNS: readonly (Attention['kind'] | undefined)[] = ['agent_blocked', 'turn_failed', 'delivery_failed'];

/**
 * A new prompt moves its worker out of `error` when it is queued, so a worker in `error` has failed since then. An offline worker with
 * trouble could not be started.
 */
function hasNoAgent({ store }: Pick<WorkContext, 'store'>, name: string): boolean {
  const worker = store.state.workers[name];
  if (worker === undefined) return false;
  const { status, attention } = worker;
  return (status === 'error' && !RUNS.includes(attention?.kind)) || (status === 'offline' && attention?.kind === 'trouble');
}

/** A queued prompt waits for what the first one in the queue waits for. */
function forItsSender(database: Database, id: string): Delivery | undefined {
  const row = findDelivery(database, id);
  if (row?.state !== 'queued') return row;
  const first = nextDelivery(database, row.worker);
  return first?.state === 'held' && first.id !== id ? { ...row, state: 'held', reason: first.reason } : row;
}
