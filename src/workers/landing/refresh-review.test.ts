import { describe, expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import type { Attention } from '../../store/attention.ts';
import { recentHistory } from '../../store/tables/history.ts';
import { commitMove } from '../status/commit-move.ts';
import { newestMain, refreshReview } from './refresh-review.ts';

const REVIEW: Attention = { kind: 'review', uncommitted: false };
const CONFLICT: Attention = { kind: 'conflict', branch: 'main', files: ['a.txt'] };

async function reviewed(attention: Attention | null): Promise<ScratchWork> {
  const work = await scratchWork({ worker: { status: 'needs_review', current_prompt: 'Add a', attention } });
  await work.repo.commit('Add a', { 'a.txt': 'mine\n' }, work.worktree);
  return work;
}

const refresh = async ({ context }: ScratchWork) => refreshReview(context, 'adam', await newestMain(context));
const toldOf = ({ context }: ScratchWork) => {
  const { attention, conflicted_files } = context.store.worker('adam');
  return { attention, conflicted_files };
};

describe('a clean rebase', () => {
  test.for<Attention>([
    { kind: 'review', uncommitted: true },
    { kind: 'review_without_agent', endings: 3 },
    { kind: 'not_landed', problem: 'the tests fail' },
  ])('keeps what a person was told: %o', async (attention) => {
    await using work = await reviewed(attention);
    const main = await work.repo.commit('Main', { 'main.txt': 'm\n' });
    expect((await refresh(work)).rebased).toBe(true);
    expect(toldOf(work)).toEqual({ attention, conflicted_files: [] });
    expect(work.context.store.worker('adam').base_commit).toBe(main);
  });
});

describe('a conflict', () => {
  test('is told once, and is over when main no longer conflicts', async () => {
    await using work = await reviewed(REVIEW);
    const { repo, context, worktree } = work;
    await repo.commit('Main', { 'a.txt': 'theirs\n' });
    for (let round = 0; round < 3; round += 1) expect((await refresh(work)).rebased).toBe(false);
    expect(toldOf(work)).toEqual({ attention: CONFLICT, conflicted_files: ['a.txt'] });
    expect(recentHistory(context.store.database, 'adam', 5)).toHaveLength(1);
    await repo.write('notes.txt', 'untracked\n', worktree);
    await repo.run(['revert', '--no-edit', 'HEAD']);
    expect((await refresh(work)).rebased).toBe(true);
    expect(toldOf(work)).toEqual({ attention: { kind: 'review', uncommitted: true }, conflicted_files: [] });
  });

  test('does not hide that the agent ended too often', async () => {
    const attention: Attention = { kind: 'review_without_agent', endings: 3 };
    await using work = await reviewed(attention);
    await work.repo.commit('Main', { 'a.txt': 'theirs\n' });
    for (let round = 0; round < 2; round += 1) await refresh(work);
    expect(toldOf(work)).toEqual({ attention, conflicted_files: ['a.txt'] });
    expect(recentHistory(work.context.store.database, 'adam', 5)).toHaveLength(1);
  });

  test('that the agent resolved by itself is over at the next refresh', async () => {
    await using work = await reviewed(REVIEW);
    const { repo, context, worktree } = work;
    await repo.commit('Main', { 'a.txt': 'theirs\n' });
    await refresh(work);
    await context.git.run({ at: worktree, access: 'write', args: ['rebase', 'origin/main'] });
    await repo.write('a.txt', 'both\n', worktree);
    await repo.run(['add', 'a.txt'], worktree);
    await repo.run(['rebase', '--continue'], worktree);
    expect((await refresh(work)).rebased).toBe(false);
    expect(toldOf(work)).toEqual({ attention: REVIEW, conflicted_files: [] });
    expect(recentHistory(context.store.database, 'adam', 1)).toMatchObject([{ summary: 'no longer conflicts with main' }]);
  });

  test('is over with the next commit of the agent', async () => {
    await using work = await reviewed(REVIEW);
    const { repo, context } = work;
    await repo.commit('Main', { 'a.txt': 'theirs\n' });
    await refresh(work);
    commitMove(context, 'adam', 'rejected', { why: 'sent back' });
    expect(toldOf(work).conflicted_files).toEqual(['a.txt']);
    commitMove(context, 'adam', 'committed', { why: 'the turn ended with a commit', fields: { attention: REVIEW } });
    expect(toldOf(work)).toEqual({ attention: REVIEW, conflicted_files: [] });
  });
});
