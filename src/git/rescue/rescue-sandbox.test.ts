import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { userTest } from '../../../test/support/scratch-user.ts';
import { userWorker } from '../../../test/support/user-worker.ts';
import { walledTest } from '../../../test/support/walled-test.ts';
import { type WalledWorker, walledWorker } from '../../../test/support/walled-worker.ts';
import { resetInPlace } from '../worktree/reset.ts';
import { findRescue, saveRescue } from './rescue.ts';
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

/** Each leaves work that neither HEAD nor the branch has, in a repository that goes with its worker. */
const STRAY: readonly (readonly [string, string])[] = [
  ['on an unborn branch', 'git checkout --quiet --orphan x'],
  ['after its branch was deleted', 'git update-ref -d refs/heads/llmc/adam'],
  ['with an empty HEAD', ': > "$(git rev-parse --absolute-git-dir)/HEAD"'],
  ['with a pipe as HEAD', 'head=$(git rev-parse --absolute-git-dir)/HEAD && rm "$head" && mkfifo "$head"'],
  ['with a broken index', 'echo garbage > "$(git rev-parse --absolute-git-dir)/index"'],
];

const LOSES_NOTHING = 'a worker %s loses neither files nor commits, branches and stashes of its own repository';

walledTest.for(STRAY)(LOSES_NOTHING, async ([, damage]) => {
  await using adam = await walledWorker();
  await saveStrays(adam, damage);
});

userTest.for(STRAY)(`${LOSES_NOTHING}, as another user`, async ([, damage]) => {
  await using adam = await userWorker();
  await saveStrays(adam, damage);
});

async function saveStrays(adam: Adam, damage: string): Promise<void> {
  const script = `echo one > one.txt && git add one.txt && git commit --quiet -m First && git commit --quiet --amend -m Second
git branch side && git checkout --quiet side && git commit --quiet --allow-empty -m Side && git checkout --quiet llmc/adam
echo stashed > one.txt && git stash --quiet && echo loose > loose.txt
git rev-parse HEAD 'HEAD@{1}' side stash llmc/adam@{1} && ${damage}`;
  const { status, text } = await adam.agent(script);
  expect(status).toBe(0);
  const saved = await saveRescue(adam.git, target(adam));
  expect(saved?.missed).toEqual([]);
  expect((await adam.repo.run(['rev-list', saved?.sha ?? ''], adam.root)).split('\n')).toEqual(
    expect.arrayContaining(text.trim().split('\n')),
  );
  expect(await adam.repo.run(['show', `${saved?.sha}:loose.txt`], adam.root)).toBe('loose');
  expect((await saveRescue(adam.git, target(adam)))?.sha).toBe(saved?.sha);
  await resetInPlace(adam.git, adam.worktree, adam.base, 'llmc/adam');
  expect(existsSync(join(adam.worktree, 'loose.txt'))).toBe(false);
}

async function saveAndRestore(adam: Adam): Promise<void> {
  const nested =
    'git init --quiet lib && echo inner > lib/inner.txt && git -C lib add . && git -C lib -c user.name=A -c user.email=a@example.test commit --quiet -m Inner';
  const { status, text } = await adam.agent(
    `echo one > one.txt && git add one.txt && git commit --quiet -m One && echo two > two.txt && git add two.txt && echo three > three.txt && ${nested}`,
  );
  expect([status, text]).toEqual([0, '']);
  const saved = await saveRescue(adam.git, target(adam));
  expect(saved?.missed).toEqual([]);
  const files = await adam.repo.run(['ls-tree', '-r', '--name-only', saved?.sha ?? ''], adam.root);
  expect(files.split('\n')).toEqual(expect.arrayContaining(['one.txt', 'three.txt', 'two.txt']));
  await adam.repo.run(['fsck', '--no-dangling'], adam.root);
  expect((await saveRescue(adam.git, target(adam)))?.sha).toBe(saved?.sha);

  await resetInPlace(adam.git, adam.worktree, adam.base, 'llmc/adam');
  expect(existsSync(join(adam.worktree, 'two.txt'))).toBe(false);
  const found = await findRescue(adam.git, adam.root, saved?.name ?? '');
  await restoreInto(adam.git, { ...target(adam), branch: 'llmc/adam' }, found);
  expect(
    (await adam.agent('cat one.txt two.txt three.txt lib/inner.txt && git log -1 --format=%s && git -C lib log -1 --format=%s')).text,
  ).toBe('one\ntwo\nthree\ninner\nOne\nInner\n');
}
