import { LlmcError } from '../base/error.ts';
import { addWorker as addToConfig } from '../config/edit.ts';
import { interpretConfig } from '../config/load.ts';
import type { WorkerOverrides } from '../config/schema.ts';
import { workerSettings } from '../config/worker-settings.ts';
import { workerBranch } from '../git/refs.ts';
import { fetchMain } from '../git/source/fetch.ts';
import { addWorktree, removeWorktree } from '../git/worktree/worktree.ts';
import { newWorker, type Worker } from '../store/state.ts';
import { readText } from '../system/files/files.ts';
import { agentOf, type WorkContext } from './context.ts';
import { editConfig } from './edit-config.ts';
import { mainBranch } from './landing/main-branch.ts';
import { copyFiles, reportEmptySubmodules, setUp } from './worktree/prepare-worktree.ts';

export interface AddRequest {
  readonly name: string;
  readonly overrides: WorkerOverrides;
}

/** Makes a worktree, a branch and an entry in state and configuration. If one step fails, nothing stays. */
export async function addWorker(context: WorkContext, { name, overrides }: AddRequest): Promise<Worker> {
  return await context.locks.withLock(name, async () => {
    const { layout, store, git } = context;
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
    const main = await fetchMain(git, layout.root, await mainBranch(context, config), config.repo.source);
    const worktree = layout.worktree(name);
    context.say(`Creating the worktree ${worktree}`);
    const added = await addWorktree(git, layout.root, name, worktree, main);
    try {
      await copyFiles(context, config, worktree);
      await setUp(context, config, worktree);
      await reportEmptySubmodules(context, worktree);
      context.files.makeFolder(layout.spool(name));
      const takeBack = editConfig(layout.config, (text) => addToConfig(text, name, overrides));
      try {
        register(context, name, worktree, settings.agent);
      } catch (error) {
        takeBack();
        throw error;
      }
    } catch (error) {
      if (added.kind === 'created') await removeWorktree(git, layout.root, name, worktree);
      throw error;
    }
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
