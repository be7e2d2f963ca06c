import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { parseWorkerName } from '../../config/worker-name.ts';
import { nameSession, type OfRun, type Worker } from '../../store/state.ts';
import { loadAgent, type WorkContext } from '../context.ts';
import { registerWorker } from '../register-worker.ts';
import { makeWorktree } from '../worktree/make-worktree.ts';
import { forgetWorker, saveAndRemoveWorktree } from '../worktree/remove-worker.ts';
import { requireFreeSession } from './free-session.ts';
import { judgeOwner, requireRunWorker } from './owner.ts';

export interface RunWorkerRequest {
  readonly name: string;
  readonly run: string;
  readonly role: string;
  /** Default: the agent of `[defaults]`. */
  readonly agent?: string | undefined;
  readonly model?: string | null | undefined;
  readonly rolePrompt?: string | null | undefined;
}

/**
 * Makes a worker for a run: a worktree, a branch and a record, without an entry in config.toml. It rests until it gets a task.
 * Safe to repeat: a worker that the run has already is kept.
 */
export async function makeRunWorker(context: WorkContext, request: RunWorkerRequest): Promise<Worker> {
  const { store } = context;
  const name = parseWorkerName(request.name);
  return await context.locks.withLock(name, async () => {
    const config = await context.config();
    const agent = request.agent ?? config.defaults.agent;
    loadAgent(config, agent);
    const known = Object.hasOwn(store.state.workers, name) ? store.state.workers[name] : undefined;
    if (known?.run?.id === request.run) return withRole(context, known, request.rolePrompt ?? null);
    if (known !== undefined) throw new LlmcError('WORKER_EXISTS', `there is a worker named "${name}" already`, { hint: 'llmc status' });
    requireFreeSession(context, name, nameSession(name));
    const { run: id, role, model = null, rolePrompt: role_prompt = null } = request;
    const run: OfRun = { id, role, agent, model, role_prompt, session: '', resting: true, task: null };
    await makeWorktree(context, config, name, (worktree) => {
      fault('run-worker:before-record');
      const summary = `made for the run ${id}, role ${role}, with agent ${agent}`;
      registerWorker(context, { name, worktree_path: worktree, agent, summary, made: { run } });
    });
    return store.worker(name);
  });
}

/** A run that goes on with a changed workflow may tell its role something else. It counts from the next session on. */
function withRole({ store }: WorkContext, worker: Worker, role_prompt: string | null): Worker {
  const { name, run } = worker;
  if (run === null || run.role_prompt === role_prompt) return worker;
  store.commit({
    worker: name,
    kind: 'task',
    summary: 'its role has another prompt',
    state: (draft) => {
      draft.workers[name] = { ...worker, run: { ...run, role_prompt } };
    },
  });
  return store.worker(name);
}

export interface Dismissed {
  /** False: a person reviews its work or has sent it back, so it stays. */
  readonly gone: boolean;
  /** The rescue of what it left behind; null if there was nothing to save. */
  readonly rescued: string | null;
}

/** Removes a worker that its run needs no more, after saving what no ref of the run has. Safe to repeat: a worker that is gone is gone. */
export async function dismissWorker(context: WorkContext, name: string): Promise<Dismissed> {
  return await context.locks.withLock(name, async () => {
    if (!Object.hasOwn(context.store.state.workers, name)) return { gone: true, rescued: null };
    const worker = context.store.worker(name);
    requireRunWorker(worker);
    if (judgeOwner(worker) === 'person') return { gone: false, rescued: null };
    const rescued = await saveAndRemoveWorktree(context, name, 'its run needs it no more');
    fault('run-worker:before-forget');
    forgetWorker(context, name, rescued, { kind: 'halted' });
    return { gone: true, rescued };
  });
}
