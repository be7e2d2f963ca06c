import { expect, test } from 'vitest';
import { scratchWork } from '../../test/support/scratch-work.ts';
import { acceptWork } from './accept-work.ts';
import { listSaved, restoreSaved } from './rescue-work.ts';
import { resetWorker } from './reset-worker.ts';
import { reviewWork } from './review-work.ts';

test('finished work that is restored into a worker can be reviewed and accepted, with its task', async () => {
  await using work = await scratchWork({ worker: { status: 'needs_review', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await resetWorker(context, 'adam');
  const [saved] = await listSaved(context, 'adam');
  expect(await restoreSaved(context, { name: saved?.name ?? '', into: 'adam' })).toMatchObject({ worker: 'adam', reviewable: true });
  expect(context.store.worker('adam')).toMatchObject({
    ...{ status: 'needs_review', current_prompt: 'Add a', commit_sha: await repo.run(['rev-parse', 'HEAD'], worktree) },
    attention: { kind: 'review', uncommitted: false },
  });
  expect(await reviewWork(context, { worker: 'adam' })).toMatchObject({ message: 'Add a', task: 'Add a' });
  await acceptWork(context, { worker: 'adam' });
  expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nBegin');
});

test('restored files without a commit wait for an instruction', async () => {
  await using work = await scratchWork({ worker: { status: 'needs_input', current_prompt: 'Add a' } });
  const { repo, context, worktree } = work;
  await repo.write('a.txt', 'a\n', worktree);
  await resetWorker(context, 'adam');
  const [saved] = await listSaved(context, 'adam');
  expect(await restoreSaved(context, { name: saved?.name ?? '', into: 'adam' })).toMatchObject({ worker: 'adam', reviewable: false });
  expect(context.store.worker('adam')).toMatchObject({ status: 'needs_input', attention: { kind: 'restored' } });
});
