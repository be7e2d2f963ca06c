import { chmod, rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { arm, begunWorktree } from '../../test/support/hostile-repo.ts';
import { addSubmodule, checkOutSubmodule, initInside, type ScratchRepo, scratchRepo } from '../../test/support/scratch-repo.ts';
import { walledTest } from '../../test/support/walled-test.ts';
import { walledWorker } from '../../test/support/walled-worker.ts';
import { type ChangeOptions, wholeDiff } from './diff.ts';
import type { Git } from './run.ts';
import { readWorkingChange } from './working-change.ts';

async function readAt(git: Git, root: string, worktree: string, options: ChangeOptions = {}) {
  const place = { root, worktree, main: 'refs/remotes/origin/main', former: async () => new Set<string>() };
  const read = await readWorkingChange(git, place, options, new AbortController().signal);
  const { change, ...rest } = read;
  return { ...rest, paths: change.files.map(({ path }) => path), stat: change.stat, text: wholeDiff(change), omitted: change.omitted };
}

async function work(repo: ScratchRepo) {
  const { root, path, base } = await begunWorktree(repo);
  return { root, path, base, see: (options?: ChangeOptions) => readAt(repo.git, root, path, options) };
}

/** Everything that a reader must leave alone. */
const untouched = async (repo: ScratchRepo, root: string, path: string) => [
  await repo.run(['status', '--porcelain'], path),
  await repo.run(['ls-files', '--stage', '--debug'], path),
  await repo.run(['for-each-ref'], root),
  await repo.run(['count-objects', '-v'], root),
];

test('commits, staged, changed, deleted and new files are one change, and nothing is written', async () => {
  await using repo = await scratchRepo({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n', '.gitignore': 'out\n' } });
  const { root, path, base, see } = await work(repo);
  const head = await repo.commit('Commit a', { 'a.txt': 'committed\n' }, path);
  await repo.write('b.txt', 'staged\n', path);
  await repo.run(['add', 'b.txt'], path);
  await repo.write('b.txt', 'changed\n', path);
  await rm(join(path, 'c.txt'));
  await repo.write('new/file.txt', 'new\n', path);
  await repo.write('out/built.txt', 'built\n', path);
  const before = await untouched(repo, root, path);
  const seen = await see();
  expect(seen).toMatchObject({ base, head, leftOut: [], unread: [], omitted: [] });
  expect(seen.commits.map(({ message }) => message)).toEqual(['Commit a']);
  expect(seen.paths).toEqual(['a.txt', 'b.txt', 'c.txt', 'new/file.txt']);
  expect(seen.uncommitted).toEqual(['b.txt', 'c.txt', 'new/file.txt']);
  for (const line of ['+committed', '+changed', 'deleted file mode', '+new']) expect(seen.text).toContain(`${line}`);
  expect(await untouched(repo, root, path)).toEqual(before);
});

test('work in the middle of a conflict is shown with its markers', async () => {
  await using repo = await scratchRepo({ files: { 'a.txt': 'one\n' } });
  const { path, see } = await work(repo);
  await repo.run(['checkout', '--quiet', '-b', 'other'], path);
  await repo.commit('Theirs', { 'a.txt': 'theirs\n' }, path);
  await repo.run(['checkout', '--quiet', 'llmc/adam'], path);
  await repo.commit('Ours', { 'a.txt': 'ours\n' }, path);
  await repo.run(['merge', 'other'], path).catch(() => undefined);
  const { text, uncommitted } = await see();
  expect(uncommitted).toEqual(['a.txt']);
  expect(text).toContain('+<<<<<<< HEAD\n+ours\n+=======\n+theirs\n');
});

test('lines that differ only in white space are left out, and their file stays in the list', async () => {
  await using repo = await scratchRepo({ files: { a: 'if x:\n y\n', b: 'one\n', z: 'z\n' } });
  const { path, see } = await work(repo);
  await repo.write('a', 'if x:\n     y\n', path);
  await repo.write('b', 'one\ntwo\n', path);
  await chmod(join(path, 'z'), 0o755);
  const { paths, text, omitted } = await see({ ignoreWhitespace: true });
  expect(paths).toEqual(['a', 'b', 'z']);
  expect(omitted).toEqual([]);
  expect(text).not.toContain('a/a');
  expect(text).toContain('+two');
  expect(text).toContain('new mode 100755');
  expect((await see()).text).toContain('+     y');
});

test('marks in the index do not hide a change, and stay', async () => {
  await using repo = await scratchRepo({ files: { a: 'one\n', b: 'one\n' } });
  const { path, see } = await work(repo);
  await repo.run(['update-index', '--assume-unchanged', 'a'], path);
  await repo.run(['update-index', '--skip-worktree', 'b'], path);
  await repo.write('a', 'two\n', path);
  await repo.write('b', 'two\n', path);
  expect((await see()).uncommitted).toEqual(['a', 'b']);
  expect(await repo.run(['ls-files', '-v'], path)).toContain('h a\nS b');
});

test('pipes, links, huge and odd files neither stop nor fool it', async () => {
  await using repo = await scratchRepo({ files: { kept: 'one\n', gone: 'one\n' } });
  const { root, path, see } = await work(repo);
  const odd = 'a\n→ "odd"\u001b[31m';
  await repo.write(odd, 'odd\n', path);
  await rm(join(path, 'gone'));
  await repo.processes.run({ file: 'mkfifo', args: [join(path, 'pipe'), join(path, 'gone')] });
  await symlink('/etc/passwd', join(path, 'link'));
  await repo.write('huge', '', path);
  await truncate(join(path, 'huge'), 3 * 1024 ** 3);
  const seen = await see();
  expect(seen.leftOut).toEqual([{ path: 'huge', why: 'large' }]);
  expect(seen.paths).toContain(odd);
  expect(seen.text).toContain('+/etc/passwd\n\\ No newline');
  expect(seen.text).not.toContain('root:');
  expect(seen.uncommitted).toContain('gone');
  expect(await repo.git.files.exists(join(root, '.git', 'index.lock'))).toBe(false);
});

test('thousands of new files are named by their folder, and changed files are still shown', { timeout: 120_000 }, async () => {
  await using repo = await scratchRepo({ files: { a: 'one\n' } });
  const { path, see } = await work(repo);
  await repo.write('a', 'two\n', path);
  const script = 'mkdir -p modules && cd modules && i=0; while [ $i -lt 2001 ]; do echo $i > f$i; i=$((i+1)); done';
  await repo.processes.run({ file: 'sh', args: ['-c', script], cwd: path });
  const seen = await see();
  expect(seen.paths).toEqual(['a']);
  expect(seen.uncommitted).toEqual(['a', 'modules/']);
  expect(seen.leftOut).toEqual([{ path: 'modules/', why: 'many' }]);
});

test('nothing that an agent configured runs: in the clone, in the attributes, in a submodule and in a nested repository', async () => {
  await using repo = await scratchRepo();
  await addSubmodule(repo);
  const { root, path, see } = await work(repo);
  const lib = await checkOutSubmodule(repo, path);
  await repo.write('lib.txt', 'two\n', lib);
  const inner = await initInside(repo, path, 'inner');
  await repo.commit('Inner', { a: '1\n' }, inner);
  await repo.write('.gitattributes', '* filter=evil diff=evil\n', path);
  await repo.write('README.md', 'changed\n', path);
  const canary = await arm(repo, root);
  for (const at of [lib, inner]) await arm(repo, at);
  for (const name of ['clean', 'smudge', 'process']) await repo.run(['config', `filter.evil.${name}`, `touch '${repo.dir}/canary'`], root);
  const seen = await see();
  expect(await canary()).toBe('');
  expect(seen.text).toContain('+changed');
  expect(seen.uncommitted.toSorted()).toEqual(['.gitattributes', 'README.md', 'inner/', 'lib']);
  expect(seen.leftOut.map(({ path, why }) => `${path} ${why}`).toSorted()).toEqual(['inner/ repository', 'lib repository']);
});

walledTest('in a sandbox: its own commits and files, read inside, without bringing anything into the root', async () => {
  await using adam = await walledWorker();
  await adam.agent('echo committed > a.txt && git add a.txt && git commit --quiet -m Work && echo new > b.txt');
  await adam.agent(`git config filter.evil.clean "touch ${adam.canary}; cat" && echo '* filter=evil' > .gitattributes`);
  const refs = await adam.repo.run(['for-each-ref'], adam.root);
  const seen = await readAt(adam.git, adam.root, adam.worktree);
  expect(seen.commits.map(({ message }) => message)).toEqual(['Work']);
  expect(seen.paths).toEqual(['.gitattributes', 'a.txt', 'b.txt']);
  expect(seen.text).toContain('+committed');
  expect(seen.text).toContain('+new');
  expect(await adam.repo.run(['for-each-ref'], adam.root)).toBe(refs);
  expect(await adam.git.files.exists(adam.canary)).toBe(false);
});
