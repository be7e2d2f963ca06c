import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { shortId } from '../../base/short-id.ts';
import type { Worker } from '../../store/state.ts';
import { type Delivery, type DeliveryState, undelivered, updateDelivery } from '../../store/tables/deliveries.ts';
import { hasTask } from '../../store/tables/queue.ts';
import type { WorkContext } from '../context.ts';
import { reasonText } from './delivery-reason-text.ts';

/** A prompt that its agent does not have yet, as people see it. */
export interface HeldMessage {
  /** Names it in `llmc message --cancel` and `--edit`. */
  readonly id: string;
  readonly worker: string;
  /** Only a `message` can be edited or canceled. */
  readonly purpose: Delivery['purpose'];
  readonly text: string;
  readonly state: DeliveryState;
  /** What it waits for, in words. */
  readonly reason: string | null;
  readonly created_ms: number;
}

/** The prompts that wait for their agents, in the order in which each agent gets them. */
export async function heldMessages(
  context: Pick<WorkContext, 'store' | 'clock'>,
  { worker }: { readonly worker?: string | undefined },
): Promise<readonly HeldMessage[]> {
  const { store, clock } = context;
  if (worker !== undefined) store.worker(worker);
  const rows = undelivered(store.database).filter((row) => worker === undefined || row.worker === worker);
  // One that is queued waits for what the first one of its worker waits for.
  const reasonFor = (row: Delivery) => row.reason ?? rows.find((one) => one.worker === row.worker)?.reason ?? null;
  // A task is sent below the rules for agents, which are the same for all.
  const textFor = ({ purpose, worker: name, text }: Delivery) =>
    purpose === 'task' ? (store.state.workers[name]?.current_prompt ?? text) : text;
  return rows.map((row) => inWords({ ...row, reason: reasonFor(row), text: textFor(row) }, clock.now()));
}

function inWords({ id, worker, purpose, text, state, reason, created_ms }: Delivery, now: number): HeldMessage {
  return { id: shortId(id), worker, purpose, text, state, reason: reason && reasonText(reason, now), created_ms };
}

interface Named {
  readonly worker: string;
  readonly id: string;
}

/** Takes back a message that waits. */
export async function cancelMessage(context: WorkContext, named: Named): Promise<HeldMessage> {
  return await change(context, named, 'canceled', { state: 'failed', reason: { kind: 'canceled' } }, (worker) => {
    worker.current_prompt = null;
  });
}

/** Replaces the words of a message that waits. It keeps its place. */
export async function editMessage(context: WorkContext, { text, ...named }: Named & { readonly text: string }): Promise<HeldMessage> {
  return await change(context, named, 'changed', { text }, (worker) => {
    worker.current_prompt = text;
  });
}

/** A pass that types has the worker's lock, so a message is either changed before its first key, or refused. */
async function change(
  context: WorkContext,
  { worker: name, id }: Named,
  what: string,
  fields: Partial<Delivery>,
  asTask: (worker: Worker) => void,
): Promise<HeldMessage> {
  const { store, clock } = context;
  return await context.locks.withLock(name, async () => {
    const row = requireWaiting(context, name, id);
    // A worker that had no task got this message as its task.
    const isItsTask = store.worker(name).current_prompt === row.text && !hasTask(store.database, name);
    store.changeWorker(name, {
      kind: 'delivery',
      summary: `${shortId(row.id)}: message ${what} by a person`,
      change: (worker) => (isItsTask ? asTask(worker) : undefined),
      rows: (database) => updateDelivery(database, row.id, fields),
    });
    return inWords({ ...row, ...fields }, clock.now());
  });
}

function requireWaiting({ store }: WorkContext, name: string, id: string): Delivery {
  const { run } = store.worker(name);
  const list = commandLine('llmc', 'message', name, '--list');
  const found = undelivered(store.database).filter((row) => row.worker === name && row.id.startsWith(id));
  const [row] = found;
  if (row === undefined)
    throw new LlmcError('INVALID_ARGUMENT', `${name} has no message ${id} that waits: the agent may have it already`, { hint: list });
  if (found.length > 1) throw new LlmcError('INVALID_ARGUMENT', `${found.length} messages of ${name} begin with ${id}`, { hint: list });
  if (run !== null)
    throw new LlmcError('ILLEGAL_TRANSITION', `${name} works for the run ${run.id}, which counts on its messages`, {
      hint: `llmc show ${run.id}`,
    });
  if (row.purpose !== 'message')
    throw new LlmcError('ILLEGAL_TRANSITION', `${shortId(row.id)} is not a message but ${PURPOSES[row.purpose]}`, {
      hint: commandLine('llmc', 'reset', name),
    });
  // After a first attempt, its text may be in the agent's input box. Before it, an incarnation means that the conversation is being cleared for it.
  const ended = row.attempt > 0 && row.reason?.kind === 'not_running';
  if (row.state === 'typed' || row.state === 'submitted' || row.attempt > 0 || row.incarnation !== null)
    throw new LlmcError(
      'ILLEGAL_TRANSITION',
      `${shortId(row.id)} ${ended ? 'was typed' : 'is being typed'} into the terminal of ${name}${ended ? ', and its agent may have read it before it ended' : ''}`,
      {
        hint: `When the agent has it, tell it more: ${commandLine('llmc', 'message', name, '…')}`,
      },
    );
  return row;
}

const PURPOSES: Readonly<Record<Exclude<Delivery['purpose'], 'message'>, string>> = {
  task: 'its task',
  feedback: 'the feedback of a review',
  continue: 'a request to continue',
  conflict: 'a request to resolve a conflict',
  compact: 'a command that shortens the conversation',
  nudge: 'a question about its progress',
};
