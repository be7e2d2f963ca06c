import { chmod, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot, withEnvironment } from '../../test/support/scratch-repo.ts';
import { readChange, wholeDiff } from './diff.ts';
import { openGit } from './run.ts';

/** A worktree of a root, and the change from main to its HEAD. */
async function workOf(repo: ScratchRepo) {
  const { root, base, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  const change = async (longest?: number) => readChange(repo.git, root, base, await repo.run(['rev-parse', 'HEAD'], at), { longest });
  return { root, base, at, change };
}

test('attributes and settings that an agent writes neither hide a text file nor run a program', async () => {
  await using repo = await scratchRepo({ files: { 'a.ts': 'one\n', 'b.ts': 'one\n' } });
  const { root, at, change } = await workOf(repo);
  const attributes = '*.ts -diff diff=evil binary\n';
  await repo.commit('Hide it', { 'a.ts': 'two\n', '.gitattributes': attributes }, at);
  await repo.write('info/attributes', attributes, join(root, '.git'));
  const canary = join(repo.dir, 'ran');
  for (const [name, value] of [
    ['diff.external', `touch '${canary}';`],
    ['diff.evil.textconv', `touch '${canary}'; echo harmless;`],
    ['diff.evil.command', `touch '${canary}';`],
    ['core.bigFileThreshold', '1'],
    ['diff.noprefix', 'true'],
    ['diff.orderFile', '/dev/null'],
    ['core.quotePath', 'false'],
  ] as const)
    await repo.run(['config', name, value], root);
  const { stat, files, omitted, ...rest } = await change();
  expect(wholeDiff({ stat, files, omitted, ...rest })).toContain('+++ b/a.ts\n@@ -1 +1 @@\n-one\n+two\n');
  expect(stat).toContain('a.ts           | 2 +-');
  expect(files.map(({ path, binary }) => ({ path, binary }))).toEqual([
    { path: '.gitattributes', binary: false },
    { path: 'a.ts', binary: false },
  ]);
  expect(omitted).toEqual([]);
  expect(await repo.git.files.exists(canary)).toBe(false);
});

test('a replaced commit is compared as it is', async () => {
  await using repo = await scratchRepo();
  const { at, change } = await workOf(repo);
  const good = await repo.commit('Good', { 'a.txt': 'good\n' }, at);
  await repo.run(['reset', '--quiet', '--hard', 'HEAD~'], at);
  const evil = await repo.commit('Evil', { 'a.txt': 'evil\n' }, at);
  await repo.run(['replace', evil, good], at);
  expect(wholeDiff(await change())).toContain('+evil');
});

test("the user's own diff settings apply", async () => {
  await using repo = await scratchRepo();
  const { root, base, at } = await workOf(repo);
  const head = await repo.commit('Change', { 'README.md': 'changed\n' }, at);
  await repo.write('.gitconfig', '[diff]\n\tnoprefix = true\n', repo.home);
  const git = openGit(withEnvironment(repo.processes, { GIT_CONFIG_GLOBAL: join(repo.home, '.gitconfig') }));
  expect(wholeDiff(await readChange(git, root, base, head))).toContain('--- README.md\n+++ README.md\n');
});

test('modes, links, renames with edits, line ends and odd names are listed and shown', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
  await using repo = await scratchRepo({ files: { 'run.sh': 'exit\n', old: lines, file: 'text\n' } });
  const { at, change } = await workOf(repo);
  await chmod(join(at, 'run.sh'), 0o755);
  await repo.run(['mv', 'old', 'new'], at);
  await repo.write('new', lines.replace('line 7', 'rm -rf'), at);
  await rm(join(at, 'file'));
  await symlink('/etc/passwd', join(at, 'file'));
  const name = `${'long/'.repeat(40)}a\n→ forged`;
  await repo.commit('All of it', { [name]: 'no end', crlf: 'one\r\ntwo\n' }, at);
  const { files, stat, sections } = await change();
  expect(files.map(({ path, status, modes }) => [path, status, modes.before, modes.after])).toEqual([
    ['crlf', 'A', '000000', '100644'],
    ['file', 'T', '100644', '120000'],
    [name, 'A', '000000', '100644'],
    ['new', 'R', '100644', '100644'],
    ['run.sh', 'M', '100644', '100755'],
  ]);
  // The whole name, however long.
  expect(stat).toContain(` "${'long/'.repeat(40)}a\\n\\342\\206\\222 forged"`);
  expect(sections.map(({ file }) => file?.path)).toEqual(['crlf', 'file', 'file', name, 'new', 'run.sh']);
  const diff = sections.map(({ text }) => text).join('');
  for (const shown of [
    '+one\r\n+two\n',
    'new file mode 120000',
    '+/etc/passwd\n\\ No newline',
    'rename from old',
    '-line 7\n+rm -rf',
    'new mode 100755',
  ])
    expect(diff).toContain(shown);
});

test('a submodule is a hash: its repository is not entered', async () => {
  await using repo = await scratchRepo();
  const { at, change } = await workOf(repo);
  const commit = await repo.run(['rev-parse', 'HEAD'], at);
  await repo.run(['update-index', '--add', '--cacheinfo', `160000,${commit},lib`], at);
  await repo.run(['commit', '--quiet', '-m', 'Add lib'], at);
  expect(wholeDiff(await change())).toContain(`+Subproject commit ${commit}\n`);
});

test('a file larger than the output of git does not hide the others', { timeout: 120_000 }, async () => {
  await using repo = await scratchRepo();
  const { at, change } = await workOf(repo);
  const huge = `${'x'.repeat(99)}\n`.repeat(700_000);
  await repo.commit('Bury it', { 'a-huge': huge, 'z-evil': 'evil\n', 'z-says': 'Binary files \n' }, at);
  const all = await change();
  expect(wholeDiff(all)).toContain('+evil');
  expect(wholeDiff(all)).toContain('+Binary files');
  expect(all.stat).toContain('a-huge');
  expect(all.omitted).toEqual(['a-huge']);
});

test('files that are too long are left out by name, and the others are shown', async () => {
  await using repo = await scratchRepo();
  const { at, change } = await workOf(repo);
  await repo.commit('Much', { 'a-long': 'x\n'.repeat(10_000), 'b-short': 'evil\n', image: 'a\0b' }, at);
  const all = await change(5_000);
  expect(all.omitted).toEqual(['a-long']);
  expect(wholeDiff(all)).toContain('+evil');
  expect(all.stat).toContain('a-long  | 10000 +');
  expect(all.files.filter(({ binary }) => binary).map(({ path }) => path)).toEqual(['image']);
});

test('a change without files has no diff', async () => {
  await using repo = await scratchRepo();
  const { change } = await workOf(repo);
  expect(await change()).toEqual({ files: [], stat: '', sections: [], omitted: [] });
});
