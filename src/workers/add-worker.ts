import { LlmcError } from '../base/error.ts';
import { addWorkerTable as addToConfig } from '../config/edit.ts';
import { interpretConfig } from '../config/load.ts';
import type { WorkerOverrides } from '../config/schema.ts';
import { workerSettings } from '../config/worker-settings.ts';
import type { OfPool, Worker } from '../store/state.ts';
import { readText } from '../system/files/files.ts';
import { loadAgent, type WorkContext } from './context.ts';
import { editConfig } from './edit-config.ts';
import { registerWorker } from './register-worker.ts';
import { makeWorktree } from './worktree/make-worktree.ts';

export interface AddRequest {
  readonly name: string;
  readonly overrides: WorkerOverrides;
}

/** Makes a worktree, a branch and an entry in state and configuration. If one step fails, nothing stays. A worker of the pool is kept. */
export async function addWorker(context: WorkContext, { name, overrides }: AddRequest): Promise<Worker> {
  return await context.locks.withLock(name, async () => {
    const { layout, store } = context;
    const known = Object.hasOwn(store.state.workers, name) ? store.state.workers[name] : undefined;
    if (known?.pool) return keep(context, known, known.pool, overrides);
    if (known !== undefined) {
      throw new LlmcError('WORKER_EXISTS', `there is a worker named "${name}" already`, {
        hint: `llmc status, or remove it: llmc nuke ${name}`,
      });
    }
    // Check the agent before the edit: its own check would only say that the file cannot be edited.
    if (overrides.agent !== undefined) loadAgent(await context.config(), overrides.agent);
    const config = interpretConfig(addToConfig(readText(layout.config), name, overrides), layout.root);
    const settings = workerSettings(config, name);
    loadAgent(config, settings.agent);
    await makeWorktree(context, config, name, (worktree) => {
      const takeBack = editConfig(layout.config, (text) => addToConfig(text, name, overrides));
      try {
        registerWorker(context, { name, worktree_path: worktree, agent: settings.agent, summary: `added with agent ${settings.agent}` });
      } catch (error) {
        takeBack();
        throw error;
      }
    });
    return store.worker(name);
  });
}

/** Makes a worker of the pool one of the person who names it: it gets its table, and is not removed any more. */
function keep({ store, layout }: WorkContext, { name }: Worker, { agent, model }: OfPool, overrides: WorkerOverrides): Worker {
  editConfig(layout.config, (text) => addToConfig(text, name, { agent, ...(model !== null && { model }), ...overrides }));
  const change = (worker: Worker) => Object.assign(worker, { pool: null });
  store.changeWorker(name, { kind: 'added', summary: 'kept: it is not one of the pool any more', change });
  return store.worker(name);
}
