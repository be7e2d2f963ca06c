import { existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { walledTest } from '../../../test/support/walled-test.ts';
import { walledWorker } from '../../../test/support/walled-worker.ts';
import { readStatus } from '../inspect.ts';
import { outside, read } from '../run.ts';
import { removeWorktree } from '../worktree/worktree.ts';
import { exchange } from './exchange.ts';

const COMMIT = 'echo new > new.txt && git add new.txt && git commit --quiet -m Work';

walledTest('a commit made in the sandbox comes out, and the root has its branch and HEAD', async () => {
  await using adam = await walledWorker();
  expect(await adam.agent(COMMIT)).toEqual({ status: 0, text: '' });
  expect(await adam.repo.run(['rev-parse', 'llmc/adam'], adam.root)).toBe(adam.base);

  await exchange(adam.git, adam.root, adam.worktree);
  const { head } = await readStatus(adam.git, adam.worktree);
  expect(head).not.toBe(adam.base);
  expect(await adam.repo.run(['rev-parse', 'llmc/adam'], adam.root)).toBe(head);
  expect(await adam.repo.run(['rev-parse', 'HEAD'], adam.worktree)).toBe(head);
  expect(await adam.repo.run(['status', '--porcelain'], adam.worktree)).toBe('');
  expect(await adam.repo.run(['show', 'llmc/adam:new.txt'], adam.root)).toBe('new');
});

walledTest('a repeated exchange, and two at once, change nothing more', async () => {
  await using adam = await walledWorker();
  await adam.agent(COMMIT);
  await Promise.all([exchange(adam.git, adam.root, adam.worktree), exchange(adam.git, adam.root, adam.worktree)]);
  const refs = await adam.repo.run(['for-each-ref'], adam.root);
  await exchange(adam.git, adam.root, adam.worktree);
  expect(await adam.repo.run(['for-each-ref'], adam.root)).toBe(refs);
});

walledTest('the agent gets the new main', async () => {
  await using adam = await walledWorker();
  const main = await adam.repo.commit('More', { 'more.txt': 'more\n' });
  await adam.repo.run(['fetch', '--quiet', 'origin', '+refs/heads/main:refs/remotes/origin/main'], adam.root);
  await exchange(adam.git, adam.root, adam.worktree);
  expect((await adam.agent('git rev-parse origin/main && git rebase --quiet origin/main && cat more.txt')).text).toBe(`${main}\nmore\n`);
});

walledTest('a rebase in progress comes out as a detached HEAD beside the branch', async () => {
  await using adam = await walledWorker();
  await adam.agent(`${COMMIT} && git checkout --quiet --detach && git commit --quiet --allow-empty -m Detached`);
  await exchange(adam.git, adam.root, adam.worktree);
  const [head, tip] = [
    await adam.repo.run(['rev-parse', 'HEAD'], adam.worktree),
    await adam.repo.run(['rev-parse', 'llmc/adam'], adam.root),
  ];
  expect(await adam.repo.run(['rev-parse', `${head}~1`], adam.root)).toBe(tip);
});

walledTest.for([
  ['cut', 'printf x > "$object"'],
  ['swapped for another', 'cp ".git-other" "$object"'],
  ['a pipe', 'mkfifo "$object"'],
  ['a link to a file outside', 'ln -s /etc/passwd "$object"'],
  ['missing', ':'],
])('an object that is %s stays inside, and no ref moves', async ([, replace]) => {
  await using adam = await walledWorker();
  const common = '"$(git rev-parse --git-common-dir)"';
  const script = `${COMMIT} && blob=$(git rev-parse HEAD:new.txt)
object=${common}/objects/$(printf %.2s $blob)/\${blob#??}
other=$(echo other | git hash-object -w --stdin); cp ${common}/objects/$(printf %.2s $other)/\${other#??} .git-other
rm -f "$object"; ${replace}`;
  expect(await adam.agent(script)).toMatchObject({ status: 0 });
  const refs = await adam.repo.run(['for-each-ref'], adam.root);
  // A pipe makes git inside wait for a writer, so the limit ends it.
  await expect(exchange(adam.git, adam.root, adam.worktree, { timeoutMs: 3_000 })).rejects.toThrow();
  expect(await adam.repo.run(['for-each-ref'], adam.root)).toBe(refs);
  await adam.repo.run(['fsck', '--connectivity-only'], adam.root);
});

walledTest('objects of a repository elsewhere cannot be borrowed', async () => {
  await using adam = await walledWorker();
  const secret = await adam.repo.commit('Secret', { 'secret.txt': 'secret\n' });
  const script = `echo ${join(adam.repo.path, '.git/objects')} >> "$(git rev-parse --git-common-dir)/objects/info/alternates"
git cat-file -e ${secret}`;
  expect((await adam.agent(script)).status).not.toBe(0);
});

walledTest('a deleted worktree does not keep its commits inside', async () => {
  await using adam = await walledWorker();
  await adam.agent(COMMIT);
  rmSync(adam.worktree, { recursive: true });
  await exchange(adam.git, adam.root, adam.worktree);
  expect(await adam.repo.run(['show', 'llmc/adam:new.txt'], adam.root)).toBe('new');
});

walledTest('what the agent did to its own .git cannot be seen by a call outside', async () => {
  await using adam = await walledWorker();
  await adam.agent('git config alias.x y && git branch evil && git tag evil');
  expect((await adam.git.run(read(adam.root, 'config', 'alias.x'))).stdout).toBe('');
  expect((await outside(adam.git).run(read(adam.worktree, 'for-each-ref', 'refs/tags', 'refs/heads/evil'))).stdout).toBe('');
});

walledTest('a sandboxed worktree can be removed, and a link in it is not followed', async () => {
  await using adam = await walledWorker();
  await adam.agent(`ln -s '${adam.repo.path}' link`);
  await removeWorktree(adam.git, adam.root, 'adam', adam.worktree);
  expect(existsSync(adam.worktree)).toBe(false);
  expect(await adam.repo.run(['status', '--porcelain'])).toBe('');
});

walledTest.for([
  ['one object', 'head -c 300000 /dev/urandom > big'],
  ['a pack of many', 'for i in $(seq 150); do head -c 2000 /dev/urandom > $i; done'],
])('work that is larger than the limit, %s, stays inside and leaves nothing in the root', async ([, make]) => {
  await using adam = await walledWorker();
  expect(await adam.agent(`${make} && git add --all && git commit --quiet -m Large`)).toMatchObject({ status: 0 });
  const refs = await adam.repo.run(['for-each-ref'], adam.root);
  await expect(exchange(adam.git, adam.root, adam.worktree, { mostBytes: 102_400 })).rejects.toMatchObject({
    code: 'GIT_FAILED',
    message: 'the work of adam is too large: llmc takes in 102400 bytes at once',
  });
  expect(await adam.repo.run(['for-each-ref'], adam.root)).toBe(refs);
  expect(globSync('**/tmp_*', { cwd: join(adam.root, '.git/objects') })).toEqual([]);
  await exchange(adam.git, adam.root, adam.worktree);
  expect(await adam.repo.run(['log', '-1', '--format=%s', 'llmc/adam'], adam.root)).toBe('Large');
});
