import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { arrange, cancelQueued, editQueued, findQueued, type QueuedTask, waitingTasks } from '../../store/tables/queue.ts';
import type { WorkContext } from '../context.ts';
import { requirePossible, requireTask, type Wish } from './queue-tasks.ts';

/** Changes a task that still waits; returns it as it is now. */
export async function editTask(
  context: WorkContext,
  { number, ...edit }: { readonly number: number; readonly prompt?: string | undefined } & Wish,
): Promise<QueuedTask> {
  const { store } = context;
  const config = await context.config();
  const task = requireWaiting(context, number);
  const { worker = task.worker, agent = task.agent, model = task.model } = edit;
  // The words of a task may change although its worker was removed.
  const namesOther = edit.worker !== undefined || edit.agent !== undefined || edit.model !== undefined;
  requirePossible(context, config, { ...edit, ...(namesOther && { worker, agent, model }) });
  requireNoCircle(context, number, edit.after ?? []);
  changed(context, number, 'was changed', (database) => editQueued(database, number, edit));
  return requireTask({ store }, number);
}

/** Takes a task out of the queue. One that a worker has got is not touched. */
export async function cancelTask(context: WorkContext, { number }: { readonly number: number }): Promise<QueuedTask> {
  const { store, clock } = context;
  requireWaiting(context, number);
  changed(context, number, 'was canceled', (database) => cancelQueued(database, number, clock.now()));
  return requireTask({ store }, number);
}

export interface TaskMove {
  readonly number: number;
  /** Before this task; `first` and `last`: of all. */
  readonly before: number | 'first' | 'last';
}

/** Moves a task to another place. It takes over the priority that counts there. */
export async function moveTask(context: WorkContext, { number, before }: TaskMove): Promise<QueuedTask> {
  const { store } = context;
  requireWaiting(context, number);
  if (before === number)
    throw new LlmcError('INVALID_ARGUMENT', `task ${number} cannot go before itself`, { hint: `llmc queue move ${number} --first` });
  if (typeof before === 'number') requireWaiting(context, before);
  const others = waitingTasks(store.database).filter((task) => task.number !== number);
  const at = typeof before === 'number' ? others.findIndex((task) => task.number === before) : before === 'first' ? 0 : others.length;
  const priority = (others[at] ?? others[at - 1])?.priority;
  const order = [...others.slice(0, at), { number }, ...others.slice(at)].map((task) => task.number);
  changed(context, number, 'was moved', (database) => {
    arrange(database, order);
    return priority === undefined || editQueued(database, number, { priority });
  });
  return requireTask({ store }, number);
}

function changed(
  { store }: WorkContext,
  number: number,
  what: string,
  rows: (database: WorkContext['store']['database']) => boolean,
): void {
  store.commit({
    worker: null,
    kind: 'queue',
    summary: `task ${number} ${what}`,
    rows: (database) => {
      // A worker may have got it in the meantime. Nothing is written then.
      if (!rows(database)) throw notWaiting(requireTask({ store }, number));
    },
  });
}

function requireWaiting({ store }: Pick<WorkContext, 'store'>, number: number): QueuedTask {
  const task = requireTask({ store }, number);
  if (task.state !== 'waiting') throw notWaiting(task);
  return task;
}

function notWaiting({ number, state, given_to }: QueuedTask): LlmcError {
  if (state === 'given')
    return new LlmcError('ILLEGAL_TRANSITION', `${given_to} has task ${number} already`, {
      hint: `Tell it more: ${commandLine('llmc', 'message', given_to ?? '', '…')}, or start over: ${commandLine('llmc', 'reset', given_to ?? '')}`,
    });
  return new LlmcError('ILLEGAL_TRANSITION', `task ${number} is not in the queue any more: ${state}`, { hint: 'llmc queue list' });
}

/** Tasks that wait for each other would wait for ever. */
function requireNoCircle({ store }: WorkContext, number: number, after: readonly number[]): void {
  const seen = new Set<number>();
  const open = [...after];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === number)
      throw new LlmcError('INVALID_ARGUMENT', `task ${number} would wait for itself`, { hint: `llmc queue show ${number}` });
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(findQueued(store.database, next)?.after ?? []));
  }
}
