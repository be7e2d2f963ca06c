import { join } from 'node:path';
import { trackingRef } from '../../src/git/refs.ts';
import { addWorktree } from '../../src/git/worktree/worktree.ts';
import type { Worker } from '../../src/store/state.ts';
import { acceptWork } from '../../src/workers/accept-work.ts';
import { aWorker } from '../../src/workers/samples.ts';
import { undoWork } from '../../src/workers/undo/undo-work.ts';
import type { ScratchWork } from './scratch-work.ts';

export const CONVERSATION = '11111111-1111-4111-8111-111111111111';
export const REVIEWED = {
  status: 'needs_review',
  current_prompt: 'Add a',
  summary: 'Added a.',
  conversation_id: CONVERSATION,
  conversation_used: true,
} as const;

/** A worker with two commits, accepted. */
export async function accepted(work: ScratchWork): Promise<{ readonly commits: string; readonly commit: string | null }> {
  const { repo, context, worktree } = work;
  await repo.commit('One', { 'a.txt': 'one\n' }, worktree);
  await repo.commit('Two', { 'a.txt': 'one\ntwo\n' }, worktree);
  const commits = await repo.run(['rev-list', 'origin/main..HEAD'], worktree);
  const { commit } = await acceptWork(context, { worker: 'adam' });
  return { commits, commit };
}

/** A second worker with one commit that waits for a review. */
export async function pending({ repo, context }: ScratchWork, name: string, fields: Partial<Worker> = {}): Promise<string> {
  const { git, layout, store } = context;
  const path = join(layout.worktrees, name);
  await addWorktree(git, layout.root, name, path, trackingRef('main'));
  const head = await repo.commit(`Work of ${name}`, { [`${name}.txt`]: 'mine\n' }, path);
  store.commit({
    kind: 'added',
    summary: name,
    worker: name,
    state: (draft) => {
      draft.workers[name] = aWorker({
        name,
        worktree_path: path,
        branch: `llmc/${name}`,
        status: 'needs_review',
        commit_sha: head,
        ...fields,
      });
    },
  });
  return path;
}

export const subjects = (work: ScratchWork) => work.repo.run(['log', '--format=%s', 'main']);
export const undo = (work: ScratchWork, request: Parameters<typeof undoWork>[1] = {}) =>
  undoWork(work.context, { patrol: true, ...request });
