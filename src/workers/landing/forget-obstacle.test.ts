import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { acceptWork } from '../accept-work.ts';
import { refreshReviews } from './refresh-pending-reviews.ts';

const REVIEWED = { status: 'needs_review', current_prompt: 'Add a', attention: { kind: 'review', uncommitted: false } } as const;

test.each([
  ['a change that is staged', true],
  ['a file that git does not track', false],
])('work that did not land because of %s waits for review again when that is gone', async (_, isStaged) => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await repo.write('a.txt', 'mine\n');
  if (isStaged) await repo.run(['add', 'a.txt']);
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'LANDING_REFUSED' });
  expect(context.store.worker('adam').attention).toMatchObject({ kind: 'not_landed', blocked: { where: repo.path, files: ['a.txt'] } });

  await refreshReviews(context);
  expect(context.store.worker('adam').attention?.kind, 'while the file is there').toBe('not_landed');
  await repo.write('other.txt', 'does not matter\n');
  if (isStaged) await repo.run(['rm', '--quiet', '--force', 'a.txt']);
  else rmSync(join(repo.path, 'a.txt'));
  await refreshReviews(context);
  expect(context.store.worker('adam').attention).toEqual({ kind: 'review', uncommitted: false });
  expect(await acceptWork(context, { worker: 'adam' })).toMatchObject({ subject: 'Add a' });
});

test('work that did not land because of an operation of git in the source waits for review again when that is over', async () => {
  await using work = await scratchWork({ worker: REVIEWED });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await repo.run(['bisect', 'start']);
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'LANDING_REFUSED' });
  await refreshReviews(context);
  expect(context.store.worker('adam').attention).toMatchObject({ kind: 'not_landed', blocked: { where: repo.path, files: [] } });
  await repo.run(['bisect', 'reset']);
  await refreshReviews(context);
  expect(context.store.worker('adam').attention).toEqual({ kind: 'review', uncommitted: false });
});

test('work whose validation failed does not forget it', async () => {
  await using work = await scratchWork({ worker: REVIEWED, repo: 'validate = ["false"]' });
  const { repo, context, worktree } = work;
  await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
  await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  await refreshReviews(context);
  expect(context.store.worker('adam').attention?.kind).toBe('not_landed');
});
