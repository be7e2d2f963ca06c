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

/** Resolves when the worker has one of the statuses. */
export async function waitFor(
  context: WorkContext,
  request: WaitRequest,
): Promise<Pick<Worker, 'name' | 'status' | 'commit_sha'> & AttentionReport> {
  const reached = await context.store.until(
    () => {
      const worker = context.store.worker(request.worker);
      return request.statuses.includes(worker.status) ? worker : undefined;
    },
    request.timeoutMs,
    context.signal,
  );
  if (reached === undefined) {
    if (context.signal.aborted)
      throw new LlmcError('SUPERVISOR_NOT_RUNNING', 'the supervisor stopped during the wait', { hint: 'llmc up --detach' });
    const { status } = context.store.worker(request.worker);
    throw new LlmcError('WAIT_TIMEOUT', `${request.worker} is still ${status}`, { hint: `llmc why ${request.worker}` });
  }
  const { name, status, commit_sha, attention } = reached;
  return { name, status, commit_sha, ...attentionReport(name, attention) };
}
