import { expect, test } from 'vitest';
import { REVIEWED, undo } from '../../../test/support/accepted-work.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { acceptWork } from '../accept-work.ts';
import { rebaseWork } from '../rebase/rebase-work.ts';
import { diffWork } from '../review/diff-work.ts';
import { reviewWork } from '../review-work.ts';
import { commitMove } from '../status/commit-move.ts';
import { giveTask } from '../tasks/give-task.ts';
import { offerForReview } from '../tasks/offer-for-review.ts';
import { makeRunWorker } from '../tasks/run-worker.ts';

const BRANCH = 'run/swarm-1';
const FIRST = 'swarm-1-one';
const SECOND = 'swarm-1-two';
const OPTIONS = { repo: 'landing = "branch"', worker: REVIEWED } as const;

/** A stage of the run: its worker makes one commit, which waits for a person. */
async function stage({ context, repo }: ScratchWork, name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const { worktree_path: at } = await makeRunWorker(context, { name, run: 'swarm-1', role: 'dev', agent: 'demo' });
  await giveTask(context, {
    ...{ id: `task-${name}`, worker: name, base: null, conversation: 'fresh', worktree: 'reset', session: '' },
    ...{ expects: { kind: 'commit' }, prompt: 'Build it' },
  });
  commitMove(context, name, 'came_back', { why: 'its session runs' });
  const commit = await repo.commit(`Work of ${name}`, files, at);
  commitMove(context, name, 'finished', { why: 'the turn ended', fields: { commit_sha: commit } });
  await offerForReview(context, { id: `offer-${name}`, worker: name, commit, task: 'Build it' });
  return at;
}

const land = async ({ context }: ScratchWork, worker: string, place: { readonly main?: boolean } = {}) => {
  await reviewWork(context, { worker });
  return await acceptWork(context, { worker, requireReview: true, ...place });
};
const on = ({ repo }: ScratchWork, branch = BRANCH) => repo.run(['log', '--format=%s', branch]);
const paths = ({ files }: { readonly files: readonly { readonly path: string }[] }) => files.map(({ path }) => path);

test('the review of a later stage shows its own work, and not what its run has landed on the branch before', async () => {
  await using work = await scratchWork(OPTIONS);
  const { context } = work;
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  await stage(work, SECOND, { 'two.txt': 'two\n' });
  expect(paths(await diffWork(context, { worker: SECOND }))).toEqual(['two.txt']);
  const shown = await reviewWork(context, { worker: SECOND });
  expect(paths(shown)).toEqual(['two.txt']);
  expect(shown).toMatchObject({ message: `Work of ${SECOND}`, conflicts: [] });
  expect(await acceptWork(context, { worker: SECOND, requireReview: true })).toMatchObject({ landing: 'branch', branch: BRANCH });
  expect(await on(work)).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nBegin`);
  expect(await on(work, 'main')).toBe('Begin');
  await undo(work, { worker: SECOND });
  expect(await on(work)).toBe(`Work of ${FIRST}\nBegin`);
  await land(work, SECOND);
  expect(await on(work)).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nBegin`);
});

test('a main that moves, also in the same lines, does not keep the work of a later stage from its branch', async () => {
  await using work = await scratchWork(OPTIONS);
  const { context, repo } = work;
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  const at = await stage(work, SECOND, { 'one.txt': 'one\ntwo\n' });
  const head = await repo.run(['rev-parse', 'HEAD'], at);
  await repo.commit('Mine', { 'one.txt': 'mine\n' }, repo.path);
  expect(await rebaseWork(context, { worker: SECOND })).toMatchObject({ outcome: 'up_to_date', branch: BRANCH });
  await land(work, SECOND);
  expect(await repo.run(['rev-parse', `${BRANCH}^{tree}`])).toBe(await repo.run(['rev-parse', `${head}^{tree}`]));
  expect(await on(work)).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nBegin`);
  // The worker goes on from main, and what it does next for another place begins there.
  expect(await repo.run(['rev-parse', 'HEAD'], at)).toBe(await repo.run(['rev-parse', 'main']));
});

test('work that was made beside the first landing is put on the branch before it is reviewed', async () => {
  await using work = await scratchWork(OPTIONS);
  const { repo } = work;
  const at = await stage(work, SECOND, { 'two.txt': 'two\n' });
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  await reviewWork(work.context, { worker: SECOND });
  expect(await repo.run(['log', '--format=%s'], at)).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nBegin`);
  await land(work, SECOND);
  expect(await on(work)).toBe(`Work of ${SECOND}\nWork of ${FIRST}\nBegin`);
});

test('work that its agent put on a newer main itself is compared with main, so that no commit of main counts as its own', async () => {
  await using work = await scratchWork(OPTIONS);
  const { context, repo } = work;
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  const at = await stage(work, SECOND, { 'two.txt': 'two\n' });
  await repo.commit('Mine', { 'mine.txt': 'mine\n' }, repo.path);
  await repo.run(['fetch', '-q', 'origin'], at);
  await repo.run(['rebase', '-q', 'origin/main'], at);
  const shown = await reviewWork(context, { worker: SECOND });
  expect(paths(shown)).toEqual(['one.txt', 'two.txt']);
  await expect(acceptWork(context, { worker: SECOND, requireReview: true })).rejects.toMatchObject({
    code: 'PATCH_CHANGED',
    hint: expect.stringContaining('--branch'),
  });
  expect(await on(work)).toBe(`Work of ${FIRST}\nBegin`);
});

test('--main lands all of it on main, after a review that shows all of it', async () => {
  await using work = await scratchWork(OPTIONS);
  await stage(work, FIRST, { 'one.txt': 'one\n' });
  await land(work, FIRST);
  await stage(work, SECOND, { 'two.txt': 'two\n' });
  await expect(land(work, SECOND, { main: true })).rejects.toMatchObject({ code: 'PATCH_CHANGED' });
  expect(paths(await reviewWork(work.context, { worker: SECOND }))).toEqual(['one.txt', 'two.txt']);
  expect(await acceptWork(work.context, { worker: SECOND, requireReview: true })).toMatchObject({ landing: 'main' });
});
