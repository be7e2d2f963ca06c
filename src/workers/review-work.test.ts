import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchWork } from '../../test/support/scratch-work.ts';
import { ownRepository } from '../git/private/place.ts';
import { acceptWork } from './accept-work.ts';
import { addWorker } from './add-worker.ts';
import { reviewWork } from './review-work.ts';
import { repairWorktree } from './worktree/repair-worktree.ts';

const REVIEWED = { status: 'needs_review', current_prompt: 'Add a' } as const;

test('reading the message during an accept does not count as a review: a later change stays refused', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await reviewWork(context, { worker: 'adam' });
  await repo.commit('Slip something in', { 'b.txt': 'b\n' }, worktree);
  expect((await reviewWork(context, { worker: 'adam', beforeAccept: true })).message).toContain('Slip something in');
  await expect(acceptWork(context, { worker: 'adam', message: 'Add a' })).rejects.toMatchObject({ code: 'PATCH_CHANGED' });
  expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Begin');
});

test('work whose repository was deleted is reviewed and landed as llmc had taken it in', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, worktree } = work;
  const keepWorktree = async (name: string) => void (await repairWorktree(work.context, name));
  const context = { ...work.context, agents: { ...work.context.agents, keepWorktree } };
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  rmSync(ownRepository(context.layout.root, 'adam'), { recursive: true });
  expect((await reviewWork(context, { worker: 'adam' })).message).toContain('Add a');
  expect(await repo.run(['status', '--porcelain'], worktree)).toBe('');
  expect((await acceptWork(context, { worker: 'adam' })).commit).not.toBeNull();
});

test('only the work that a person has on the screen counts as reviewed', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  const { head } = await reviewWork(context, { worker: 'adam', beforeAccept: true });
  await repo.commit('Slip something in', { 'b.txt': 'b\n' }, worktree);
  await expect(reviewWork(context, { worker: 'adam', ifHead: head })).rejects.toMatchObject({ code: 'WORK_CHANGED' });
  await expect(acceptWork(context, { worker: 'adam', requireReview: true })).rejects.toMatchObject({ code: 'WORK_NOT_REVIEWED' });
  const now = await reviewWork(context, { worker: 'adam', beforeAccept: true });
  await reviewWork(context, { worker: 'adam', ifHead: now.head });
  expect((await acceptWork(context, { worker: 'adam', requireReview: true })).commit).not.toBeNull();
});

test('a review by an agent does not count either: it neither approves a change nor chooses the worker of a bare accept', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  expect((await reviewWork(context, { worker: 'adam', byAgent: true })).message).toContain('Add a');
  expect(context.store.state.last_reviewed_worker).toBeNull();
  await reviewWork(context, { worker: 'adam' });
  await repo.commit('Slip something in', { 'b.txt': 'b\n' }, worktree);
  await reviewWork(context, { worker: 'adam', byAgent: true });
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'PATCH_CHANGED' });
  expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Begin');
});

test('without a name it means the worker that accept means, not the one that has waited longest', async () => {
  await using work = await scratchWork({ worker: { ...REVIEWED, last_activity_unix: 1 } });
  const { repo, context } = work;
  const baker = await addWorker(context, { name: 'baker', overrides: { agent: 'demo' } });
  context.store.commit({
    worker: 'baker',
    kind: 'status',
    summary: 'finished',
    state: (draft) => Object.assign(draft.workers.baker ?? {}, { status_before_offline: 'needs_review' }),
  });
  await repo.commit('Bake', { 'b.txt': 'b\n' }, baker.worktree_path);
  await repo.commit('Add a', { 'a.txt': 'a\n' }, work.worktree);
  await reviewWork(context, { worker: 'baker' });
  expect((await reviewWork(context, {})).worker).toBe('adam');
  await reviewWork(context, { worker: 'baker' });
  expect((await reviewWork(context, { beforeAccept: true })).worker).toBe('baker');
});

test('without the patrol the work is shown as it is; with it, on the newest main', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  const begin = await repo.run(['rev-parse', 'main']);
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  const head = await repo.run(['rev-parse', 'HEAD'], worktree);
  await repo.commit('Main moves on', { 'b.txt': 'b\n' });
  expect(await reviewWork(context, { worker: 'adam', patrol: false })).toMatchObject({ base: begin, head });
  expect((await reviewWork(context, { worker: 'adam' })).base).toBe(await repo.run(['rev-parse', 'main']));
});

/**
 * Each costs 3 to 4 ms. Ten pending reviews cost as many calls as two. Three of them find out whether main was rewritten below the work,
 * two which files act by themselves.
 */
const MOST_CALLS = 13;

test('a review of work that is on main does not ask git more often than it did', async () => {
  const commands: string[] = [];
  await using work = await scratchWork({ worker: REVIEWED, onCommand: (words) => commands.push(words) });
  const { repo, context, worktree } = work;
  const main = await repo.run(['rev-parse', 'main']);
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  for (const name of ['baker', 'carl']) {
    const { worktree_path } = await addWorker(context, { name, overrides: { agent: 'demo' } });
    const commit = await repo.commit(name, { [name]: 'b\n' }, worktree_path);
    context.store.commit({
      worker: name,
      kind: 'status',
      summary: 'finished',
      state: (draft) =>
        Object.assign(draft.workers[name] ?? {}, { status_before_offline: 'needs_review', commit_sha: commit, base_commit: main }),
    });
  }
  commands.length = 0;
  await reviewWork(context, { worker: 'adam' });
  expect(commands.length, commands.join('\n')).toBeLessThanOrEqual(MOST_CALLS);
  expect(commands.filter((words) => words.includes(' fetch '))).toEqual([]);
});

test('a review shows the message that will land, without the attribution lines that an accept removes', async () => {
  await using work = await scratchWork({ worker: { status: 'needs_review', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  await repo.commit(
    'Add a\n\nWhy\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)\n\nCo-Authored-By: Claude <noreply@anthropic.com>\nCo-Authored-By: Ada <ada@example.test>',
    { 'a.txt': 'a\n' },
    worktree,
  );
  const { message } = await reviewWork(context, { worker: 'adam' });
  expect(message.trimEnd()).toBe('Add a\n\nWhy\n\nCo-Authored-By: Ada <ada@example.test>');
  await acceptWork(context, { worker: 'adam', requireReview: true });
  expect(await repo.run(['log', '-1', '--format=%B', 'main'])).toBe(message.trimEnd());
});
