import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { userTest } from '../../../test/support/scratch-user.ts';
import { userWorker } from '../../../test/support/user-worker.ts';
import { walledTest } from '../../../test/support/walled-test.ts';
import { type WalledWorker, walledWorker } from '../../../test/support/walled-worker.ts';
import { resetInPlace } from '../worktree/reset.ts';
import { findRescue, rescue } from './rescue.ts';
import { restoreInto } from './rescue-restore.ts';

type Adam = Pick<WalledWorker, 'git' | 'repo' | 'root' | 'worktree' | 'base' | 'agent'>;

const target = ({ root, worktree, base }: Adam) => ({
  root,
  worktree,
  worker: 'adam',
  base,
  reason: 'reset',
  now: 1_000_000_000_000,
});

walledTest('a rescue takes commits, staged, untracked and nested work out of the sandbox, and a restore brings them back in', async () => {
  await using adam = await walledWorker();
  await saveAndRestore(adam);
});

userTest('a rescue takes the same work from another user, and a restore gives it back', async () => {
  await using adam = await userWorker();
  await saveAndRestore(adam);
});

async function saveAndRestore(adam: Adam): Promise<void> {
  const nested =
    'git init --quiet lib && echo inner > lib/inner.txt && git -C lib add . && git -C lib -c user.name=A -c user.email=a@example.test commit --quiet -m Inner';
  const { status, text } = await adam.agent(
    `echo one > one.txt && git add one.txt && git commit --quiet -m One && echo two > two.txt && git add two.txt && echo three > three.txt && ${nested}`,
  );
  expect([status, text]).toEqual([0, '']);
  const saved = await rescue(adam.git, target(adam));
  expect(saved?.missed).toEqual([]);
  const files = await adam.repo.run(['ls-tree', '-r', '--name-only', saved?.sha ?? ''], adam.root);
  expect(files.split('\n')).toEqual(expect.arrayContaining(['one.txt', 'three.txt', 'two.txt']));
  await adam.repo.run(['fsck', '--no-dangling'], adam.root);
  expect((await rescue(adam.git, target(adam)))?.sha).toBe(saved?.sha);

  await resetInPlace(adam.git, adam.worktree, adam.base, 'llmc/adam');
  expect(existsSync(join(adam.worktree, 'two.txt'))).toBe(false);
  const found = await findRescue(adam.git, adam.root, saved?.name ?? '');
  await restoreInto(adam.git, { ...target(adam), branch: 'llmc/adam' }, found);
  expect(
    (await adam.agent('cat one.txt two.txt three.txt lib/inner.txt && git log -1 --format=%s && git -C lib log -1 --format=%s')).text,
  ).toBe('one\ntwo\nthree\ninner\nOne\nInner\n');
}
