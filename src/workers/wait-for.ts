import { LlmcError } from '../base/error.ts';
import type { Worker } from '../store/state.ts';
import type { Status } from '../store/statuses.ts';
import type { WorkContext } from './context.ts';
import { type AttentionReport, attentionReport } from './status/attention-text.ts';

export interface WaitRequest {
  readonly worker: string;
  readonly statuses: readonly Status[];
  readonly timeoutMs: number;
}

export interface WaitAnyRequest {
  /** Empty: every worker, also one that is added during the wait. */
  readonly workers: readonly string[];
  readonly statuses: readonly Status[];
  readonly timeoutMs: number;
}

type Reached = Pick<Worker, 'name' | 'status' | 'commit_sha'> & AttentionReport;

/** Resolves when the worker has one of the statuses. */
export async function waitFor(context: WorkContext, { worker, statuses, timeoutMs }: WaitRequest): Promise<Reached> {
  const reached = await waitForFirst(context, { workers: [worker], statuses, timeoutMs });
  if (reached !== undefined) return reached;
  const { status } = context.store.worker(worker);
  throw new LlmcError('WAIT_TIMEOUT', `${worker} is still ${status}`, { hint: `llmc why ${worker}` });
}

/** Resolves with the first of the workers that has one of the statuses. */
export async function waitForAny(context: WorkContext, request: WaitAnyRequest): Promise<Reached> {
  const reached = await waitForFirst(context, request);
  if (reached !== undefined) return reached;
  const { workers, statuses } = request;
  const whose = workers.length === 0 ? 'no worker' : `none of ${workers.join(', ')}`;
  throw new LlmcError('WAIT_TIMEOUT', `${whose} is ${statuses.join(' or ')}`, { hint: 'llmc status' });
}

async function waitForFirst(context: WorkContext, { workers, statuses, timeoutMs }: WaitAnyRequest): Promise<Reached | undefined> {
  const { store, signal } = context;
  const seen = () => (workers.length === 0 ? Object.values(store.state.workers) : workers.map((name) => store.worker(name)));
  const reached = await store.until(() => seen().find(({ status }) => statuses.includes(status)), timeoutMs, signal);
  if (reached !== undefined) return toReached(reached);
  if (signal.aborted) throw new LlmcError('SUPERVISOR_NOT_RUNNING', 'the supervisor stopped during the wait', { hint: 'llmc up --detach' });
  return undefined;
}

function toReached({ name, status, commit_sha, attention }: Worker): Reached {
  return { name, status, commit_sha, ...attentionReport(name, attention) };
}
