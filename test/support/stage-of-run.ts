import { commitMove } from '../../src/workers/status/commit-move.ts';
import { giveTask } from '../../src/workers/tasks/give-task.ts';
import { offerForReview } from '../../src/workers/tasks/offer-for-review.ts';
import { makeRunWorker } from '../../src/workers/tasks/run-worker.ts';
import type { ScratchWork } from './scratch-work.ts';

/** A stage of the run swarm-1: its worker makes one commit, which waits for a person. Returns its worktree. */
export async function stageOfRun({ context, repo }: ScratchWork, name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const id = `${name}-${Object.keys(files).join('-')}`;
  const { worktree_path: at } = await makeRunWorker(context, { name, run: 'swarm-1', role: 'dev', agent: 'demo' });
  await giveTask(context, {
    id: `task-${id}`,
    worker: name,
    base: null,
    conversation: 'fresh',
    worktree: 'reset',
    session: '',
    expects: { kind: 'commit' },
    prompt: 'Build it',
  });
  if (context.store.worker(name).status === 'offline') commitMove(context, name, 'came_back', { why: 'its session runs' });
  const commit = await repo.commit(`Work of ${name}`, files, at);
  commitMove(context, name, 'finished', { why: 'the turn ended', fields: { commit_sha: commit } });
  await offerForReview(context, { id: `offer-${id}`, worker: name, commit, task: 'Build it' });
  return at;
}
