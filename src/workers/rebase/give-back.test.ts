import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { BOTH, type Conflicting, conflicting } from '../../../test/support/scratch-conflict.ts';
import { refreshReviews } from '../landing/refresh-pending-reviews.ts';
import { listSaved, showSaved } from '../rescue-work.ts';
import { resetWorker } from '../reset-worker.ts';
import { attentionText } from '../status/attention-text.ts';
import { repairWorktree } from '../worktree/repair-worktree.ts';
import { rebaseWork } from './rebase-work.ts';
import { resolver } from './resolve-conflict.ts';

async function resolving(): Promise<Conflicting> {
  const work = await conflicting();
  await rebaseWork(work.context, { worker: 'adam' });
  return work;
}

const headOf = ({ repo, worktree }: Conflicting) => repo.run(['rev-parse', 'HEAD'], worktree);
const branchOf = ({ repo, worktree }: Conflicting) => repo.run(['symbolic-ref', '--short', 'HEAD'], worktree);
const attentionOf = ({ context }: Conflicting) => context.store.worker('adam').attention;
const wordsOf = (work: Conflicting): string => {
  const attention = attentionOf(work);
  return attention === null ? '' : attentionText('adam', attention);
};

describe('a resolution without a result', () => {
  test('that the agent aborted has its commit as before, and says so', async () => {
    await using work = await resolving();
    await work.repo.run(['rebase', '--abort'], work.worktree);
    await work.turnEnds();
    expect(await headOf(work)).toBe(work.head);
    expect(wordsOf(work)).toContain('It gave up the rebase: its commit is as before and conflicts with main in a.txt.');
  });

  test('that the agent left for other commits has its commit as before, and the others are a rescue', async () => {
    await using work = await resolving();
    const { repo, worktree, context, head } = work;
    await repo.run(['rebase', '--abort'], worktree);
    await repo.run(['reset', '--quiet', '--hard', 'HEAD~1'], worktree);
    await repo.commit('Something else', { 'b.txt': 'of another try\n' }, worktree);
    await work.turnEnds();
    expect([await headOf(work), await branchOf(work)]).toEqual([head, 'llmc/adam']);
    expect(context.store.worker('adam')).toMatchObject({ status: 'needs_review', commit_sha: head });
    const [saved] = await listSaved(context, { worker: 'adam' });
    expect(attentionOf(work)).toMatchObject({ kind: 'conflict_given_up', why: 'elsewhere', rescue: saved?.name });
    expect(wordsOf(work)).toContain(
      `llmc put its earlier commit back, which conflicts with main in a.txt. What was in its worktree: llmc rescue show`,
    );
    expect((await showSaved(context, saved?.name ?? '')).diff).toContain('+of another try');
  });

  test('that the agent left with a commit on top of its work keeps that commit, and is not started again by itself', async () => {
    await using work = await resolving();
    const { repo, worktree, context } = work;
    await repo.run(['rebase', '--abort'], worktree);
    const more = await repo.commit('More', { 'b.txt': 'b\n' }, worktree);
    await work.turnEnds();
    expect(await headOf(work)).toBe(more);
    expect(context.store.worker('adam')).toMatchObject({ commit_sha: more, attention: { kind: 'conflict_given_up', why: 'went_on' } });
    expect(wordsOf(work)).not.toContain('as before');
    await refreshReviews(context, { onConflict: resolver(context, 'patrol') });
    expect(context.store.worker('adam').status).toBe('needs_review');
  });

  test('whose worktree was deleted says what happened, and what to type', async () => {
    await using work = await resolving();
    const { context, worktree, head } = work;
    await rm(worktree, { recursive: true });
    await repairWorktree(context, 'adam');
    await work.turnEnds();
    expect(await headOf(work)).toBe(head);
    expect(attentionOf(work)).toMatchObject({ kind: 'conflict_given_up', why: 'worktree_deleted', files: ['a.txt'] });
    expect(wordsOf(work)).toContain('Its worktree was deleted during the rebase.');
    expect(wordsOf(work)).toContain('Try again: llmc rebase adam');
    await rebaseWork(context, { worker: 'adam' });
    await work.repo.run(['rebase', '--abort'], worktree);
    await work.turnEnds();
    expect(attentionOf(work)).toMatchObject({ why: 'aborted' });
  });

  test('that a person gives up after the rebase is over has its commit as before, and the result is a rescue', async () => {
    await using work = await resolving();
    const { context, head } = work;
    await work.resolve(BOTH);
    const result = await headOf(work);
    await rebaseWork(context, { worker: 'adam', abort: true });
    expect([await headOf(work), await branchOf(work)]).toEqual([head, 'llmc/adam']);
    const [saved] = await listSaved(context, { worker: 'adam' });
    expect(saved?.parents).toContain(result);
    expect(wordsOf(work)).toContain('The rebase was given up: its commit is as before');
  });

  test('that could not begin names the files in the way', async () => {
    await using work = await conflicting();
    const { context, repo, worktree, head } = work;
    await repo.commit('A new file on main', { 'new.txt': 'main\n' });
    await repo.write('new.txt', 'untracked\n', worktree);
    await rebaseWork(context, { worker: 'adam' });
    expect(await headOf(work)).toBe(head);
    expect(attentionOf(work)).toMatchObject({ kind: 'conflict_given_up', why: 'in_the_way', in_the_way: ['new.txt'] });
    expect(wordsOf(work)).toContain('Its rebase could not begin: new.txt would be overwritten. Its commit is as before');
    expect(await repo.read('new.txt', worktree)).toBe('untracked\n');
  });

  test('that a reset ends after the rebase is over: the finished work and the result are both saved', async () => {
    await using work = await resolving();
    const { context, head } = work;
    await work.resolve('worker\n');
    const result = await headOf(work);
    await resetWorker(context, 'adam');
    const parents = (await listSaved(context, { worker: 'adam' })).flatMap((saved) => saved.parents);
    expect(parents).toContain(head);
    expect(parents).toContain(result);
  });
});

test.each([
  ['clean', 'rebased'],
  ['up to date', 'up_to_date'],
] as const)('a rebase that finds the work %s takes the word about an earlier conflict away', async (_, outcome) => {
  await using work = await conflicting();
  const { context, repo, worktree } = work;
  await repo.run(['reset', '--quiet', '--hard', 'HEAD~1'], worktree);
  await repo.commit('Another way', { 'b.txt': 'b\n' }, worktree);
  if (outcome === 'up_to_date') await repo.run(['pull', '--quiet', '--rebase', repo.path, 'main'], worktree);
  const stale = { attention: { kind: 'conflict', branch: 'main', files: ['a.txt'] }, conflicted_files: ['a.txt'] } as const;
  context.store.changeWorker('adam', { kind: 'test', summary: 'conflict', change: (worker) => Object.assign(worker, stale) });
  expect(await rebaseWork(context, { worker: 'adam' })).toMatchObject({ outcome });
  expect(context.store.worker('adam')).toMatchObject({ attention: { kind: 'review', uncommitted: false }, conflicted_files: [] });
});
