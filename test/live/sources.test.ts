import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeLayout } from '../../src/store/layout.ts';
import { rowsOfThisRun, testOfFullRun } from '../support/full-run.ts';
import { llmcWorld, type World } from '../support/world.ts';

const TASK = 'Write down that it rains';

/** Runs one task from start to main; returns the subjects of the branch, newest first. */
async function landOne(world: World, branch: string): Promise<string> {
  await world.ok('start', '--worker', 'adam', '--prompt', TASK, '--wait', '--timeout', '90s');
  await world.ok('accept', 'adam');
  return await world.git('log', '--format=%s', branch);
}

/** Makes a root with the worker adam and brings it up, after the test has prepared the source. */
async function moveIn(world: World, ...init: string[]): Promise<void> {
  await world.ok('init', '--source', world.source, '--agent', 'demo', ...init);
  await world.ok('add', 'adam');
  await world.comeUp();
}

describe('work lands on the main branch of the source', () => {
  // src/git/source finds a branch of any name.
  test.for(rowsOfThisRun(['master', 'trunk'], (name) => name === 'trunk'))('when it is called %s', async (branch) => {
    await using world = await llmcWorld({ workers: ['adam'], source: { branch } });
    expect((await world.status()).branch).toBe(branch);
    expect(await landOne(world, branch)).toBe(`${TASK}\nBegin`);
    expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain(TASK);
  });

  // The source with another branch checked out, below, is opened with --branch.
  testOfFullRun('when --branch names another one', async () => {
    await using world = await llmcWorld({ stage: 'source' });
    await world.git('branch', 'release/1.x');
    await moveIn(world, '--branch', 'release/1.x');
    expect(await landOne(world, 'release/1.x')).toBe(`${TASK}\nBegin`);
    expect(await world.git('log', '--format=%s', 'main')).toBe('Begin');
  });

  test('when the source is bare, and its hooks run', async () => {
    await using world = await llmcWorld({ stage: 'source' });
    const bare = join(world.dir, 'bare.git');
    await world.git('clone', '--quiet', '--bare', '.', bare);
    world.write('hooks/post-receive', `#!/bin/sh\ncat > "${world.dir}/received"\n`, bare);
    chmodSync(join(bare, 'hooks/post-receive'), 0o755);
    await world.ok('init', '--source', bare, '--agent', 'demo');
    await world.ok('add', 'adam');
    await world.comeUp();
    await world.ok('start', '--prompt', TASK, '--wait', '--timeout', '90s');
    await world.ok('accept');
    expect(await world.gitIn(bare, 'log', '--format=%s', 'main')).toBe(`${TASK}\nBegin`);
    expect(readFileSync(join(world.dir, 'received'), 'utf8')).toContain('refs/heads/main');
  });

  test('when another branch is checked out there, and leaves that branch unchanged', async () => {
    await using world = await llmcWorld({ stage: 'source' });
    await world.git('switch', '--quiet', '--create', 'mine');
    world.write('mine.txt', 'not committed\n');
    await moveIn(world, '--branch', 'main');
    expect(await landOne(world, 'main')).toBe(`${TASK}\nBegin`);
    expect(await world.git('branch', '--show-current')).toBe('mine');
    expect(await world.git('status', '--porcelain')).toBe('?? mine.txt');
    expect(existsSync(join(world.source, 'llmc-demo'))).toBe(false);
  });

  test('when main is checked out in a linked worktree, and updates its files', async () => {
    await using world = await llmcWorld({ stage: 'source' });
    await world.git('switch', '--quiet', '--create', 'mine');
    const linked = join(world.dir, 'linked');
    await world.git('worktree', 'add', '--quiet', linked, 'main');
    await moveIn(world, '--branch', 'main');
    expect(await landOne(world, 'main')).toBe(`${TASK}\nBegin`);
    expect(readFileSync(join(linked, 'llmc-demo/adam.md'), 'utf8')).toContain(TASK);
    expect(await world.gitIn(linked, 'status', '--porcelain')).toBe('');
  });

  test('when its path and that of the root contain blanks, quotes and other alphabets', async () => {
    await using world = await llmcWorld({ stage: 'source', source: { name: `Müllers "東京" repo's $HOME` } });
    const root = join(world.dir, 'die Wurzel 根');
    const there = ['--root', root];
    await world.ok('init', '--source', world.source, '--agent', 'demo', '--target', root);
    await world.ok('add', 'adam', ...there);
    await world.comeUp(...there);
    await world.ok('start', '--prompt', TASK, '--wait', '--timeout', '90s', ...there);
    await world.ok('accept', 'adam', ...there);
    expect(await world.git('log', '--format=%s', 'main')).toBe(`${TASK}\nBegin`);
    await world.ok('down', ...there);
  });

  test('when the path of the root is too long for a socket, which is then made in a private folder of this user', async () => {
    await using world = await llmcWorld({ stage: 'source' });
    const root = join(world.dir, 'deep'.repeat(20), 'deeper'.repeat(20));
    const there = ['--root', root];
    await world.ok('init', '--source', world.source, '--agent', 'demo', '--target', root);
    await world.ok('add', 'adam', ...there);
    expect(readdirSync(world.temporary)).toEqual([]);
    const elsewhere = dirname(makeLayout(root).apiSocket);
    using _ = { [Symbol.dispose]: () => rmSync(elsewhere, { recursive: true, force: true }) };
    mkdirSync(elsewhere);
    chmodSync(elsewhere, 0o777);
    for (const command of [['up', '--detach'], ['up'], ['start', '--prompt', TASK]])
      expect(await world.refused([...command, ...there])).toMatchObject({ status: 1, code: 'PERMISSION_DENIED' });
    rmdirSync(elsewhere);

    await world.comeUp(...there);
    await world.ok('start', '--prompt', TASK, '--wait', '--timeout', '90s', ...there);
    // A command with another TMPDIR reaches the same supervisor.
    const { stdout } = await world.run(['status', '--json', ...there], { env: { TMPDIR: world.home } });
    expect(JSON.parse(stdout)).toMatchObject({ supervisor: { running: true } });
    await world.ok('accept', 'adam', ...there);
    expect(await world.git('log', '--format=%s', 'main')).toBe(`${TASK}\nBegin`);
    await world.ok('down', ...there);
    expect([existsSync(elsewhere), readdirSync(world.temporary)]).toEqual([false, []]);
  });
});

describe('local edits in the source', () => {
  // In each run in src/git/landing/land.test.ts: unrelated edits, staged and untracked files survive.
  testOfFullRun('that are not in the way are kept', async () => {
    await using world = await llmcWorld({ workers: ['adam'], source: { files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } } });
    world.write('a.txt', 'one, changed\n');
    world.write('b.txt', 'two, staged\n');
    await world.git('add', 'b.txt');
    world.write('new.txt', 'untracked\n');
    expect(await landOne(world, 'main')).toBe(`${TASK}\nBegin`);
    expect((await world.git('status', '--porcelain')).split('\n')).toEqual([' M a.txt', 'M  b.txt', '?? new.txt']);
    expect(readFileSync(join(world.source, 'a.txt'), 'utf8')).toBe('one, changed\n');
    expect(await world.git('stash', 'list')).toBe('');
  });

  test('that are in the way stop the landing and stay; after they are committed the work lands', async () => {
    const scenario = 'turns: [{ steps: [{ edit: { path: a.txt, replace: { old: one, new: eins } } }, { commit: Translate }] }]';
    await using world = await llmcWorld({ workers: ['adam'], source: { files: { 'a.txt': 'one\n\n\n\n\n\n\ntwo\n' } }, scenario });
    await world.ok('start', '--prompt', TASK, '--wait', '--timeout', '90s');
    const mine = 'one\n\n\n\n\n\n\ntwo, changed\n';
    world.write('a.txt', mine);
    const before = await world.git('rev-parse', 'main');

    const refusal = await world.refused(['accept', 'adam']);
    expect(refusal).toMatchObject({ status: 2, code: 'LANDING_REFUSED', category: 'USER_ERROR', details: 'a.txt' });
    expect(refusal.message).toContain('uncommitted changes');
    expect(refusal.hint).toContain('llmc accept adam');
    expect(await world.git('rev-parse', 'main')).toBe(before);
    expect(readFileSync(join(world.source, 'a.txt'), 'utf8')).toBe(mine);
    expect(await world.worker('adam')).toMatchObject({ status: 'needs_review', attention: expect.stringContaining('Not landed') });

    await world.git('commit', '--quiet', '--all', '-m', 'My own change');
    await world.ok('accept', 'adam');
    expect(await world.git('log', '--format=%s', 'main')).toBe('Translate\nMy own change\nBegin');
    expect(readFileSync(join(world.source, 'a.txt'), 'utf8')).toBe('eins\n\n\n\n\n\n\ntwo, changed\n');
  });
});

describe('the table [repo] of config.toml', () => {
  test('ignored files are copied when a worker is added, and again at each start', async () => {
    await using world = await llmcWorld({ stage: 'root', source: { files: { '.gitignore': '.env\nlocal/\n', 'a.txt': 'a\n' } } });
    world.write('.env', 'KEY=1\n');
    world.write('local/data.txt', 'data\n');
    world.write('local/huge.bin', 'not wanted\n');
    world.set('repo', 'copy_files = [".env", "local/*.txt"]');
    await world.ok('add', 'adam');
    const copied = (file: string) => join(world.worktree('adam'), file);
    expect(readFileSync(copied('.env'), 'utf8')).toBe('KEY=1\n');
    expect(readFileSync(copied('local/data.txt'), 'utf8')).toBe('data\n');
    expect(existsSync(copied('local/huge.bin'))).toBe(false);

    world.write('.env', 'KEY=2\n');
    await world.comeUp();
    expect(await landOne(world, 'main')).toBe(`${TASK}\nBegin`);
    expect(readFileSync(copied('.env'), 'utf8')).toBe('KEY=2\n');
    expect((await world.git('ls-files')).split('\n')).toEqual(['.gitignore', 'a.txt', 'llmc-demo/adam.md']);
  });

  test('setup lines run in a new worktree, and add prints their output; one that fails leaves no worker behind', async () => {
    await using world = await llmcWorld({ stage: 'root' });
    world.set('repo', `setup = ["echo first; pwd > .git-setup", "test -e '${world.dir}/allowed' || { echo not allowed >&2; exit 7; }"]`);
    const config = readFileSync(join(world.root, 'config.toml'), 'utf8');

    const refusal = await world.refused(['add', 'adam']);
    expect(refusal).toMatchObject({ status: 2, code: 'GIT_WORKTREE_FAILED', details: 'not allowed' });
    expect(refusal.message).toContain('exit status 7');
    expect((await world.status()).workers).toEqual([]);
    expect(existsSync(world.worktree('adam'))).toBe(false);
    expect(await world.gitIn(world.root, 'branch', '--list', 'llmc/*')).toBe('');
    expect(readFileSync(join(world.root, 'config.toml'), 'utf8')).toBe(config);

    world.write('allowed', '', world.dir);
    const { status, stderr } = await world.run(['add', 'adam']);
    expect(status, stderr).toBe(0);
    expect(stderr.split('\n')).toEqual(expect.arrayContaining(['Setup: echo first; pwd > .git-setup', '  first']));
    expect(readFileSync(join(world.worktree('adam'), '.git-setup'), 'utf8')).toBe(`${world.worktree('adam')}\n`);
  });

  test('no commit lands before the validation lines pass', async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    world.set('repo', `validate = ["test -e llmc-demo/adam.md", "test -e '${world.dir}/allowed' || { echo two tests failed; exit 1; }"]`);
    await world.ok('start', '--prompt', TASK, '--wait', '--timeout', '90s');

    const refusal = await world.refused(['accept', 'adam']);
    expect(refusal).toMatchObject({ status: 2, code: 'VALIDATION_FAILED', details: 'two tests failed' });
    expect(refusal.hint).toContain('llmc reject --worker adam');
    expect(await world.git('log', '--format=%s', 'main')).toBe('Begin');
    // Without --json llmc prints the output of the line while it runs, and not again with the error.
    const shown = await world.run(['accept', 'adam']);
    expect(shown.stderr.split('\n').filter((line) => line.trim() === 'two tests failed')).toHaveLength(1);
    const quiet = await world.run(['accept', 'adam', '--quiet']);
    expect(quiet.stderr).toContain('\n  two tests failed\n');
    expect(await world.worker('adam')).toMatchObject({ status: 'needs_review', attention: expect.stringContaining('Not landed') });

    world.write('allowed', '', world.dir);
    await world.ok('accept', 'adam');
    expect(await world.git('log', '--format=%s', 'main')).toBe(`${TASK}\nBegin`);
  });
});

// The first test of conflicts.test.ts, with a commit of another worker on main.
testOfFullRun('two workers change the same line: the second resolves the conflict before it lands, and main keeps the first', async () => {
  const change = (word: string) =>
    `turns: [{ steps: [{ edit: { path: a.txt, replace: { old: one, new: ${word} } } }, { commit: Say ${word} }] }]`;
  const scenario = { adam: change('eins'), baker: change('uno') };
  await using world = await llmcWorld({ workers: ['adam', 'baker'], source: { files: { 'a.txt': 'one\n' } }, scenario });
  world.set('repo', 'resolve_conflicts = false');
  await Promise.all(['adam', 'baker'].map((name) => world.ok('start', '--worker', name, '--prompt', TASK, '--wait', '--timeout', '90s')));
  await world.ok('accept', 'adam');
  const main = await world.git('rev-parse', 'main');

  const review = await world.ok('review', 'baker');
  expect(review).toMatch(/^! .*conflicts with main in a\.txt/m);
  expect(review).toContain('+uno');
  const refusal = await world.refused(['accept', 'baker']);
  expect(refusal).toMatchObject({ status: 2, code: 'REBASE_CONFLICT', details: 'a.txt' });
  expect(refusal.message).toBe('the commit of baker conflicts with main in a.txt; its agent is resolving that');
  expect(await world.git('rev-parse', 'main')).toBe(main);
  await world.ok('wait', 'baker', '--for', 'needs_review', '--timeout', '90s');
  await world.ok('accept', 'baker');
  expect(readFileSync(join(world.source, 'a.txt'), 'utf8')).toBe('eins\nuno\n');
  expect(await world.git('log', '--format=%s', 'main')).toBe('Say uno\nSay eins\nBegin');
});
