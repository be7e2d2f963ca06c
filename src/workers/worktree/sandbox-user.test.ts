import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { userTest } from '../../../test/support/scratch-user.ts';
import { userWorker } from '../../../test/support/user-worker.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { readStatus } from '../../git/inspect.ts';
import { linkState } from '../../git/worktree/link.ts';
import { resetInPlace } from '../../git/worktree/reset.ts';
import { addWorktree, reconnect } from '../../git/worktree/worktree.ts';
import { showToAgent } from '../../sandbox/agent-user.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { enterUser } from './sandbox-user.ts';

const COMMIT = 'echo new > new.txt && git add new.txt && git commit --quiet -m Work';

userTest('a commit of another user comes out under the name of the user of llmc, and the root has its branch and HEAD', async () => {
  await using adam = await userWorker();
  expect(await adam.agent(COMMIT)).toEqual({ status: 0, text: '' });
  for (const _ of ['once', 'twice']) await exchange(adam.git, adam.root, adam.worktree);
  const { head, changes } = await readStatus(adam.git, adam.worktree);
  expect(changes).toEqual([]);
  expect(await adam.repo.run(['rev-parse', 'llmc/adam'], adam.root)).toBe(head);
  const [theirs, ours] = await Promise.all(
    ['llmc/adam', adam.base].map((each) => adam.repo.run(['log', '-1', '--format=%an', each], adam.root)),
  );
  expect(theirs).toBe(ours);
});

userTest('the agent gets the new main, from llmc and by its own git fetch', async () => {
  await using adam = await userWorker();
  const main = await adam.repo.commit('More', { 'more.txt': 'more\n' });
  await adam.repo.run(['fetch', '--quiet', 'origin', '+refs/heads/main:refs/remotes/origin/main'], adam.root);
  expect(await adam.agent('git fetch --quiet && git rev-parse origin/main')).toEqual({ status: 0, text: `${main}\n` });
  await exchange(adam.git, adam.root, adam.worktree);
  expect((await adam.agent('git rebase --quiet origin/main && cat more.txt')).text).toBe('more\n');
});

userTest('a private file of the user is copied into the worktree, with its mode, for the agent', async () => {
  await using adam = await userWorker();
  const [from, to] = [join(adam.repo.dir, '.env'), join(adam.worktree, 'deep/.env')];
  writeFileSync(from, 'secret', { mode: 0o600 });
  expect(await adam.git.files.sync(from, to, adam.worktree)).toBe('copied');
  expect(await adam.git.files.sync(from, to, adam.worktree)).toBe('unchanged');
  expect(lstatSync(to)).toMatchObject({ uid: adam.user.uid, mode: 0o100600 });
  expect(readFileSync(to, 'utf8')).toBe('secret');
  expect(systemFiles.names(adam.layout.sandbox('adam'), 100).filter((name) => name.startsWith('lent'))).toEqual([]);
});

userTest('a prompt that llmc wrote to a file can be read by the agent, and not changed', async () => {
  await using adam = await userWorker();
  const path = join(adam.layout.scratch('adam'), 'prompts', '1.md');
  systemFiles.writePrivate(path, 'do it');
  expect((await adam.agent(`cat '${path}'`)).status).not.toBe(0);
  showToAgent(adam.layout, 'adam', path);
  expect(await adam.agent(`cat '${path}'`)).toEqual({ status: 0, text: 'do it' });
  expect((await adam.agent(`echo x > '${path}'`)).status).not.toBe(0);
});

userTest('a connection that the agent cut is written again, and belongs to the agent', async () => {
  await using adam = await userWorker();
  await adam.agent('rm .git && ln -s /etc/passwd .git');
  expect(linkState(adam.root, adam.worktree)).toMatchObject({ kind: 'cut' });
  expect(await reconnect(adam.git, adam.root, adam.worktree)).toBe(true);
  expect(linkState(adam.root, adam.worktree)).toEqual({ kind: 'whole' });
  expect(await adam.agent('git status --porcelain')).toEqual({ status: 0, text: '' });
});

userTest('a deleted worktree is made again for the agent', async () => {
  await using adam = await userWorker();
  await adam.git.files.removeBeneath(adam.layout.worktrees, 'adam');
  await addWorktree(adam.git, adam.root, 'adam', adam.worktree, adam.base);
  expect(await adam.agent(COMMIT)).toEqual({ status: 0, text: '' });
});

userTest('objects that the user cannot read stop the start, with what to type', async () => {
  await using adam = await userWorker();
  chmodSync(join(adam.root, '.git/objects'), 0o700);
  await expect(adam.settle()).rejects.toMatchObject({ code: 'SANDBOX_FAILED', hint: expect.stringContaining('chmod -R o+rX') });
});

userTest('an open worktree of another worker is closed before the agent starts', async () => {
  await using adam = await userWorker();
  const other = adam.layout.worktree('baker');
  mkdirSync(other);
  chmodSync(other, 0o755);
  writeFileSync(join(other, 'x'), 'precious');
  expect((await adam.agent(`cat '${other}/x'`)).status).toBe(0);
  await adam.settle();
  expect((await adam.agent(`cat '${other}/x'`)).status).not.toBe(0);
});

userTest.for([
  ['rm -rf "$(git rev-parse --git-common-dir)"/*'],
  ['logs="$(git rev-parse --git-dir)/logs" && rm -r "$logs" && ln -s /root/logs "$logs"'],
])('a repository that the agent damaged (%s) is made again with what the hint says', async ([damage]) => {
  await using adam = await userWorker();
  await adam.agent(COMMIT);
  await exchange(adam.git, adam.root, adam.worktree);
  await adam.agent(`echo more >> new.txt && git commit --quiet -am More; ${damage}`);
  const store = join(adam.layout.sandbox('adam'), 'git');
  const save = async () => {
    await exchange(adam.git, adam.root, adam.worktree);
    await resetInPlace(adam.git, adam.worktree, adam.base, 'llmc/adam');
  };
  await expect(save()).rejects.toMatchObject({ hint: expect.stringContaining(`rm -rf -- '${store}', then: llmc up --detach`) });
  rmSync(store, { recursive: true });
  await reconnect(adam.git, adam.root, adam.worktree);
  await enterUser({ git: adam.git, files: systemFiles, layout: adam.layout }, { name: 'adam', worktree_path: adam.worktree }, adam.user);
  await adam.settle();
  expect(await adam.agent('cat new.txt')).toEqual({ status: 0, text: 'new\nmore\n' });
  await save();
  expect(await adam.agent(COMMIT)).toEqual({ status: 0, text: '' });
});
