import { expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import type { Worker } from '../../store/state.ts';
import { insertResolution, settleResolution, updateResolution } from '../../store/tables/resolutions.ts';
import { keepValidation } from '../../store/tables/validations.ts';
import { addWorker } from '../add-worker.ts';
import { reviewWork } from '../review-work.ts';

const PENDING = { status: 'needs_review', current_prompt: 'Add a', last_activity_unix: 1 } as const;

/** One more worker with a commit that waits for a review. */
async function pending({ context, repo }: ScratchWork, name: string, files: Readonly<Record<string, string>>, since = 2): Promise<void> {
  const { worktree_path } = await addWorker(context, { name, overrides: { agent: 'demo' } });
  const commit_sha = await repo.commit(`Work of ${name}`, files, worktree_path);
  change(context, name, { status: 'needs_review', status_before_offline: null, last_activity_unix: since, commit_sha });
}

function change({ store }: ScratchWork['context'], name: string, fields: Partial<Worker>): void {
  store.changeWorker(name, { kind: 'test', summary: 'set up', change: (worker) => Object.assign(worker, fields) });
}

test('a review without a name never returns the conflicting work for ever: it takes the next one, and the conflict is last', async () => {
  await using work = await scratchWork({ worker: PENDING });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'mine\n' }, worktree);
  await pending(work, 'zoe', { 'z.txt': 'z\n' });
  await repo.commit('Main', { 'a.txt': 'theirs\n' });
  expect((await reviewWork(context, {})).worker).toBe('zoe');
  expect((await reviewWork(context, {})).worker).toBe('zoe');
  expect(await reviewWork(context, { skip: ['zoe'] })).toMatchObject({
    worker: 'adam',
    attention_kind: 'conflict',
    conflicts: [{ with: 'main', kind: 'main', files: ['a.txt'] }],
    waiting: ['zoe'],
  });
});

test('work that cannot be read does not keep the others from being reviewed', async () => {
  await using work = await scratchWork({ worker: PENDING });
  const { repo, context, worktree } = work;
  await pending(work, 'zoe', { 'z.txt': 'z\n' });
  await repo.run(['checkout', '--quiet', '--orphan', 'elsewhere'], worktree);
  await repo.commit('Without history', { 'a.txt': 'a\n' }, worktree);
  expect((await reviewWork(context, {})).worker).toBe('zoe');
});

test('--next walks the whole queue, goes round, and leaves out what is skipped', async () => {
  await using work = await scratchWork({ worker: PENDING });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await pending(work, 'eve', { 'e.txt': 'e\n' }, 2);
  await pending(work, 'zoe', { 'z.txt': 'z\n' }, 3);
  const next = async () => (await reviewWork(context, { next: true })).worker;
  expect([await next(), await next(), await next(), await next()]).toEqual(['adam', 'eve', 'zoe', 'adam']);
  expect((await reviewWork(context, { next: true, skip: ['eve'] })).worker).toBe('zoe');
  await expect(reviewWork(context, { next: true, skip: ['adam', 'eve', 'zoe'] })).rejects.toMatchObject({ code: 'NOTHING_TO_REVIEW' });
});

test('the review says which other pending work it would conflict with, and asks git only about the same files', async () => {
  await using work = await scratchWork({ worker: PENDING });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'mine\n', 'b.txt': 'b\n' }, worktree);
  await pending(work, 'eve', { 'e.txt': 'e\n' });
  await pending(work, 'zoe', { 'a.txt': 'hers\n' });
  await pending(work, 'sam', { 'b.txt': 'b\n' });
  expect(await reviewWork(context, { worker: 'adam' })).toMatchObject({
    conflicts: [{ with: 'zoe', kind: 'worker', files: ['a.txt'] }],
    not_compared: [],
  });
});

test('the review has the task, the agent’s summary, the commits and the files with their counts', async () => {
  await using work = await scratchWork({ worker: { ...PENDING, summary: 'I added a.' } });
  const { repo, context, worktree } = work;
  const first = await repo.commit('Add a\n\nLong.', { 'a.txt': 'a\nb\n' }, worktree);
  const second = await repo.commit('Say hello', { 'README.md': 'hi\n' }, worktree);
  expect(await reviewWork(context, { worker: 'adam' })).toMatchObject({
    task: 'Add a',
    summary: 'I added a.',
    commits: [
      { commit: first, subject: 'Add a' },
      { commit: second, subject: 'Say hello' },
    ],
    files: [
      { path: 'README.md', status: 'M', added: 1, removed: 1, binary: false },
      { path: 'a.txt', status: 'A', added: 2, removed: 0, binary: false },
    ],
  });
});

test('the validation that is shown is the one of these very files', async () => {
  await using work = await scratchWork({ worker: PENDING, repo: 'validate = ["npm test"]' });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  const tree = await repo.run(['rev-parse', 'HEAD^{tree}'], worktree);
  expect(await reviewWork(context, { worker: 'adam' })).toMatchObject({ validation: null, validation_commands: 1 });
  context.store.commit({
    worker: 'adam',
    kind: 'validate',
    summary: 'failed',
    rows: (database) =>
      keepValidation(database, {
        tree,
        lines: '["npm test"]',
        worker: 'adam',
        failed_line: 'npm test',
        reason: 'status 1',
        log: '/log',
        took_ms: 5,
        at_ms: 9_000,
      }),
  });
  expect(await reviewWork(context, { worker: 'adam' })).toMatchObject({
    validation: { passed: false, failed_line: 'npm test', reason: 'status 1', log: '/log', took_ms: 5, at_unix: 9 },
  });
  await repo.commit('More', { 'b.txt': 'b\n' }, worktree);
  expect((await reviewWork(context, { worker: 'adam' })).validation).toBeNull();
});

const CLEAN = {
  stops: [],
  dropped: [],
  resurrected: [],
  replaced: [],
  added: [],
  notes: [],
  counts: { files: 1, dropped: 0, resurrected: 0, replaced: 0, added: 0, unexplained: 0 },
};

test('the proof of a resolved conflict is shown, also after another commit of the agent', async () => {
  await using work = await scratchWork({
    worker: { ...PENDING, resolution: '1', attention: { kind: 'resolved', branch: 'main', lost: 0, uncommitted: false } },
  });
  const { repo, context, worktree } = work;
  const base = await repo.run(['rev-parse', 'HEAD'], worktree);
  const head = await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  const about = { id: '1', worker: 'adam', cause: 'rebase', branch: 'main', head, onto: base, base, created_ms: 1 } as const;
  context.store.commit({
    worker: 'adam',
    kind: 'rebase',
    summary: 'resolved',
    rows: (database) => {
      insertResolution(database, about);
      updateResolution(database, '1', { proven_commit: head, proof: JSON.stringify(CLEAN) });
      settleResolution(database, '1', 'resolved', 2);
    },
  });
  expect((await reviewWork(context, { worker: 'adam' })).proof).toEqual(CLEAN);
  // A newer main changes the commit, and not what was proven.
  await repo.commit('Main', { 'm.txt': 'm\n' });
  expect((await reviewWork(context, { worker: 'adam' })).proof).toMatchObject({ stops: [], dropped: [], resurrected: [] });
  const commit_sha = await repo.commit('More', { 'b.txt': 'b\n' }, worktree);
  change(context, 'adam', { attention: { kind: 'review', uncommitted: false }, commit_sha });
  expect((await reviewWork(context, { worker: 'adam' })).proof).toMatchObject({ stops: [], dropped: [] });
});
