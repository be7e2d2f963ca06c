import { LlmcError } from '../base/error.ts';
import { addWorker as addToConfig } from '../config/edit.ts';
import { interpretConfig } from '../config/load.ts';
import type { WorkerOverrides } from '../config/schema.ts';
import { workerSettings } from '../config/worker-settings.ts';
import { workerBranch } from '../git/refs.ts';
import { newWorker, type Worker } from '../store/state.ts';
import { readText } from '../system/files/files.ts';
import { agentOf, type WorkContext } from './context.ts';
import { editConfig } from './edit-config.ts';
import { makeWorktree } from './worktree/make-worktree.ts';

export interface AddRequest {
  readonly name: string;
  readonly overrides: WorkerOverrides;
}

/** Makes a worktree, a branch and an entry in state and configuration. If one step fails, nothing stays. */
export async function addWorker(context: WorkContext, { name, overrides }: AddRequest): Promise<Worker> {
  return await context.locks.withLock(name, async () => {
    const { layout, store } = context;
    if (Object.hasOwn(store.state.workers, name)) {
      throw new LlmcError('WORKER_EXISTS', `there is a worker named "${name}" already`, {
        hint: `llmc status, or remove it: llmc nuke ${name}`,
      });
    }
    // Check the agent before the edit: its own check would only say that the file cannot be edited.
    if (overrides.agent !== undefined) agentOf(await context.config(), overrides.agent);
    const config = interpretConfig(addToConfig(readText(layout.config), name, overrides), layout.root);
    const settings = workerSettings(config, name);
    agentOf(config, settings.agent);
    await makeWorktree(context, config, name, (worktree) => {
      const takeBack = editConfig(layout.config, (text) => addToConfig(text, name, overrides));
      try {
        register(context, name, worktree, settings.agent);
      } catch (error) {
        takeBack();
        throw error;
      }
    });
    return store.worker(name);
  });
}

function register({ store, clock }: WorkContext, name: string, worktree_path: string, agent: string): void {
  const created_at_unix = Math.floor(clock.now() / 1_000);
  store.commit({
    worker: name,
    kind: 'added',
    summary: `added with agent ${agent}`,
    state: (draft) => {
      draft.workers[name] = newWorker({ name, worktree_path, branch: workerBranch(name), agent, created_at_unix });
    },
  });
}
