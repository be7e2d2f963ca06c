import { expect, test } from 'vitest';
import { BOTH, conflicting } from '../../../test/support/scratch-conflict.ts';
import { acceptWork } from '../accept-work.ts';
import { rebaseWork } from './rebase-work.ts';

test('an agent that rebases onto a newer main in the middle of its resolution has lost nothing of what that main deleted', async () => {
  await using work = await conflicting();
  const { context, repo, worktree } = work;
  await repo.commit('Lines', { 'lines.txt': 'one\nThe fog is thick\nthree\n' });
  await rebaseWork(context, { worker: 'adam' });
  const newer = await repo.commit('Newer', { 'lines.txt': 'one\nthree\n', 'new.txt': 'new\n' });
  await repo.run(['rebase', '--abort'], worktree);
  await repo.run(['fetch', '--quiet', 'origin'], worktree);
  await repo.run(['rebase', '--quiet', 'origin/main'], worktree).catch(() => undefined);
  await work.resolve(BOTH);
  await work.turnEnds();
  expect(work.row()).toMatchObject({ outcome: 'resolved', attempts: 1, onto: newer });
  expect(context.store.worker('adam')).toMatchObject({ base_commit: newer, attention: { kind: 'resolved', lost: 0 } });
  expect(await acceptWork(context, { worker: 'adam' })).toMatchObject({ how: 'merge' });
});

test('a tracking ref that the agent moved does not choose what the result is compared with', async () => {
  await using work = await conflicting();
  const { context, repo, worktree } = work;
  await rebaseWork(context, { worker: 'adam' });
  const { onto } = work.row() ?? {};
  await work.resolve('worker\n');
  await repo.run(['update-ref', 'refs/remotes/origin/main', 'HEAD'], worktree);
  await work.turnEnds();
  expect(work.row()).toMatchObject({ phase: 'asked', sent_back: 1, onto });
});
