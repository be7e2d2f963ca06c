import { expect, test } from 'vitest';
import { pending, undo } from '../../../test/support/accepted-work.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { branchFacts } from '../../supervisor/progress/apply-progress.ts';
import { acceptWork } from '../accept-work.ts';
import { rebaseWork } from '../rebase/rebase-work.ts';
import { resetWorker } from '../reset-worker.ts';
import { diffWork } from '../review/diff-work.ts';
import { warningLines } from '../review/text/warning-text.ts';
import { reviewWork } from '../review-work.ts';
import { refreshReviews } from './refresh-pending-reviews.ts';

/** Main has a commit that the user takes back later; adam waits for a review. */
const begun = () =>
  scratchWork({
    worker: { status: 'needs_review', current_prompt: 'Add a' },
    prepare: async (repo) => {
      await repo.commit('A mistake', { 'mistake.txt': 'mistake\n' });
    },
  });
const takeBack = ({ repo }: ScratchWork) => repo.run(['reset', '--quiet', '--hard', 'HEAD~1']);
const landed = async ({ repo }: ScratchWork) => ({
  subjects: (await repo.run(['log', '--format=%s', 'main'])).split('\n'),
  files: (await repo.run(['ls-tree', '--name-only', 'main'])).split('\n'),
});
const change = ({ context }: ScratchWork, fields: object) =>
  context.store.changeWorker('adam', { kind: 'test', summary: 'test', change: (worker) => Object.assign(worker, fields) });

test('a review says that main was rewritten and names the commits, also after the patrol has left them out', async () => {
  await using work = await begun();
  const { repo, context, worktree } = work;
  const mistake = await repo.run(['rev-parse', 'main']);
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await takeBack(work);
  const warning = { kind: 'main_rewritten', branch: 'main', commits: [{ commit: mistake, subject: 'A mistake' }], count: 1 };
  // An uncommitted change keeps llmc from rebasing.
  await repo.write('README.md', 'edited\n', worktree);
  const asItIs = await reviewWork(context, { worker: 'adam' });
  expect(asItIs).toMatchObject({ base: mistake, warnings: [warning], conflicts: [] });
  expect(asItIs.files.map(({ path }) => path)).toEqual(['a.txt']);
  expect((await diffWork(context, { worker: 'adam' })).files.map(({ path }) => path)).toEqual(['README.md', 'a.txt']);
  await repo.run(['checkout', '--quiet', '--', '.'], worktree);

  expect(await refreshReviews(context)).toEqual({ rebased: ['adam'], failed: [] });
  const { warnings, commits } = await reviewWork(context, { worker: 'adam' });
  expect(warnings).toEqual([warning]);
  expect(warningLines(warnings)).toEqual([
    `! main was rewritten: this work was built on a commit that it no longer has, which does not land with it: ${mistake.slice(0, 12)} A mistake`,
  ]);
  expect(commits.map(({ subject }) => subject)).toEqual(['Add a']);
  await acceptWork(context, { worker: 'adam' });
  expect(await landed(work)).toEqual({ subjects: ['Add a', 'Begin'], files: ['README.md', 'a.txt'] });
});

test('work that was reviewed before main was rewritten lands as reviewed, and the accept says what it left out', async () => {
  await using work = await begun();
  const { repo, context, worktree, said } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await reviewWork(context, { worker: 'adam' });
  await takeBack(work);
  await acceptWork(context, { worker: 'adam', requireReview: true });
  expect(await landed(work)).toEqual({ subjects: ['Add a', 'Begin'], files: ['README.md', 'a.txt'] });
  expect(said.join('\n')).toContain('main was rewritten');
});

test('a turn without a commit of its own is none with a commit, although main no longer has the one below', async () => {
  await using work = await begun();
  const { repo, context, worktree } = work;
  const facts = () => branchFacts(context, context.store.worker('adam'), 'main');
  await takeBack(work);
  await repo.run(['fetch', '--quiet', 'origin'], worktree);
  expect(await facts()).toMatchObject({ ahead: 0 });
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  expect(await facts()).toMatchObject({ ahead: 1 });
});

test('a stage of a run begins at the commit of another: both land, and what main no longer has does not', async () => {
  await using work = await begun();
  const { repo, context, worktree } = work;
  const stage = await repo.commit('First stage', { 'one.txt': '1\n' }, worktree);
  const second = await repo.commit('Second stage', { 'two.txt': '2\n' }, worktree);
  const run = { id: 'swarm-1', role: 'dev', agent: 'demo', model: null, role_prompt: null, session: '', resting: false, task: null };
  change(work, { base_commit: stage, commit_sha: second, run });
  await takeBack(work);
  await acceptWork(context, { worker: 'adam' });
  expect((await landed(work)).files).toEqual(['README.md', 'one.txt', 'two.txt']);
});

test('an undo gives a worker its only commit back, which main had: it is the worker’s, and for all others it is gone', async () => {
  await using work = await begun();
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await pending(work, 'eve');
  const { commit } = await acceptWork(context, { worker: 'adam', patrol: true });
  expect(await repo.run(['merge-base', '--is-ancestor', commit ?? '', 'llmc/eve'], context.layout.root)).toBe('');
  await undo(work);
  expect((await reviewWork(context, { worker: 'adam' })).files.map(({ path }) => path)).toEqual(['a.txt']);
  expect((await reviewWork(context, { worker: 'eve' })).files.map(({ path }) => path)).toEqual(['eve.txt']);
  await acceptWork(context, { worker: 'eve' });
  await acceptWork(context, { worker: 'adam' });
  expect((await landed(work)).files).toEqual(['README.md', 'a.txt', 'eve.txt', 'mistake.txt']);
});

test('a commit of the worker that a person tried out on main and took back is still its work', async () => {
  await using work = await begun();
  const { repo, context, worktree } = work;
  const own = await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  change(work, { commit_sha: own });
  await repo.run(['pull', '--quiet', '--ff-only', context.layout.root, 'llmc/adam']);
  await takeBack(work);
  await acceptWork(context, { worker: 'adam' });
  expect((await landed(work)).files).toEqual(['README.md', 'a.txt', 'mistake.txt']);
});

test('main is replaced, and nothing says where the work began: each command says what to type, and a reset saves the work', async () => {
  await using work = await begun();
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  change(work, { base_commit: null });
  await repo.run(['checkout', '--quiet', '--orphan', 'new']);
  await repo.run(['commit', '--quiet', '-m', 'New']);
  // The source forgets what main was, and llmc does not see it move.
  for (const args of [
    ['branch', '-D', 'main'],
    ['branch', '-M', 'new', 'main'],
    ['reflog', 'expire', '--expire=all', '--all'],
  ])
    await repo.run(args);
  await repo.run(['fetch', '--quiet', 'origin'], context.layout.root);
  const refused = {
    code: 'GIT_FAILED',
    message: expect.stringContaining('the work of adam has no commit in common with main'),
    hint: expect.stringMatching(/git -c .* rebase --interactive --root --onto .*llmc reset adam/),
  };
  await expect(rebaseWork(context, { worker: 'adam' })).rejects.toMatchObject(refused);
  await expect(reviewWork(context, { worker: 'adam', patrol: false })).rejects.toMatchObject(refused);
  await expect(diffWork(context, { worker: 'adam' })).rejects.toMatchObject(refused);
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject(refused);
  expect((await resetWorker(context, 'adam')).rescued).toMatch(/^adam\//);
  expect(await repo.run(['log', '--format=%s', 'HEAD'], worktree)).toBe('New');
});
