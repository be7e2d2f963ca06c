import { LlmcError } from '../../base/error.ts';
import type { Worker } from '../../store/state.ts';
import type { Status } from '../../store/statuses.ts';
import { findQueued, type QueuedTask } from '../../store/tables/queue.ts';
import type { WorkContext } from '../context.ts';
import { type AttentionReport, attentionReport } from '../status/attention-text.ts';
import { requireTask } from './queue-tasks.ts';
import { showTask } from './show-queue.ts';

export interface AwaitedTask {
  readonly task: QueuedTask;
  /** The worker that has or had it; null if the task was canceled or dropped. */
  readonly reached: (Pick<Worker, 'name' | 'status' | 'commit_sha'> & AttentionReport) | null;
}

/** How a worker stands when its task is done; it may have the next one already. */
const DONE = { status: 'idle', commit_sha: null, attention: null } as const;
const NEEDS_A_PERSON: readonly Status[] = ['needs_review', 'needs_input', 'error'];

/** Resolves when a task needs a person, or is over. The worker alone would not do: it may have the next task already. */
export async function awaitTask(
  context: WorkContext,
  { number, timeoutMs }: { readonly number: number; readonly timeoutMs: number },
): Promise<AwaitedTask> {
  const { store, signal, say } = context;
  requireTask(context, number);
  const { waits } = await showTask(context, { number });
  if (waits !== null) say(`Task ${number} ${waits}.`);
  let isSaid = false;
  const reached = await store.until(
    () => {
      const task = findQueued(store.database, number);
      if (task === undefined || task.state === 'waiting') return undefined;
      const worker = task.given_to === null ? undefined : store.state.workers[task.given_to];
      if (task.state !== 'given') return { task, worker };
      if (!isSaid) say(`${task.given_to} has the task; waiting`);
      isSaid = true;
      return worker !== undefined && NEEDS_A_PERSON.includes(worker.status) ? { task, worker } : undefined;
    },
    timeoutMs,
    signal,
  );
  if (reached === undefined) throw notYet(requireTask(context, number), signal.aborted);
  const { task, worker } = reached;
  if (task.given_to === null || task.state === 'canceled' || task.state === 'dropped') return { task, reached: null };
  const { status, commit_sha, attention } = task.state === 'done' || worker === undefined ? DONE : worker;
  return { task, reached: { name: task.given_to, status, commit_sha, ...attentionReport(task.given_to, attention) } };
}

function notYet({ number, given_to }: QueuedTask, isStopped: boolean): LlmcError {
  const hint = `llmc queue show ${number}`;
  const standing = given_to === null ? 'it stays in the queue' : `${given_to} has it`;
  if (isStopped)
    return new LlmcError('SUPERVISOR_NOT_RUNNING', `the supervisor stopped during the wait for task ${number}; ${standing}`, { hint });
  const problem = given_to === null ? `no worker has got task ${number} yet` : `task ${number} is not done yet`;
  return new LlmcError('WAIT_TIMEOUT', `${problem}; ${standing}`, { hint });
}
