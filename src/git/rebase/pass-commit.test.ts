import { existsSync } from 'node:fs';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { fetchMain } from '../source/fetch.ts';
import { beginRebase, beginRebaseCall } from './begin-rebase.ts';
import { abortRebase, passCommit } from './pass-commit.ts';
import { readSituation } from './stopped-rebase.ts';

const BRANCH = 'llmc/adam';

/** A worker with two commits: the first conflicts with main in `a.txt`, the second adds `c.txt`. */
async function conflicting(repo: ScratchRepo, second: Readonly<Record<string, string>> = { 'c.txt': 'new\n' }) {
  await repo.commit('Files', { 'a.txt': 'one\n', 'b.txt': 'same\n' });
  const { root, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  const first = await repo.commit('Worker first', { 'a.txt': 'worker\n' }, at);
  const head = await repo.commit('Worker second', second, at);
  await repo.commit('Main', { 'a.txt': 'main\n' });
  const onto = await fetchMain(repo.git, root, 'main', repo.path);
  const rebasing = { head, onto };
  return {
    at,
    root,
    rebasing,
    first,
    state: join(root, 'sandbox', 'adam', 'git', 'worktrees', 'adam', 'rebase-merge'),
    begin: () => beginRebase(repo.git, at, { onto, after: onto, branch: BRANCH }),
    situation: () => readSituation(repo.git, at, rebasing),
    pass: async (commit: string, from = onto) => passCommit(repo.git, at, { ...rebasing, branch: BRANCH, commit, from }),
    async resolve(text: string) {
      await repo.write('a.txt', text, at);
      await repo.run(['add', 'a.txt'], at);
    },
    log: async () => (await repo.run(['log', '--format=%s', `${onto}..HEAD`], at)).split('\n'),
  };
}

test('the call replays recorded resolutions and names what it moves', () => {
  const { args } = beginRebaseCall('/w', { onto: 'x', after: 'y', branch: BRANCH });
  expect(args).toContain('rerere.autoUpdate=true');
  expect(args.slice(-5)).toEqual(['--onto', 'x', '--end-of-options', 'y', BRANCH]);
});

describe('a rebase that stopped', () => {
  test('says where, and what is still unmerged', async () => {
    await using repo = await scratchRepo();
    const { begin, situation, first, rebasing, resolve } = await conflicting(repo);
    expect(await begin()).toEqual({ kind: 'stopped' });
    expect(await situation()).toEqual({ kind: 'stopped', commit: first, head: rebasing.onto, unmerged: ['a.txt'], unstaged: [] });
    await resolve('main\nworker\n');
    expect(await situation()).toMatchObject({ unmerged: [], unstaged: [] });
  });

  test('is passed with what is staged, and the rest is moved', async () => {
    await using repo = await scratchRepo();
    const { at, begin, resolve, pass, first, situation, log, rebasing } = await conflicting(repo);
    await begin();
    await resolve('main\nworker\n');
    expect(await pass(first)).toEqual({ kind: 'over' });
    expect(await situation()).toMatchObject({ kind: 'over', at: 'onto-main', branch: BRANCH });
    expect(await log()).toEqual(['Worker second', 'Worker first']);
    expect(await repo.run(['show', 'HEAD~1:a.txt'], at)).toBe('main\nworker');
    expect(await repo.run(['status', '--porcelain'], at)).toBe('');
    // Passed again after a crash: nothing happens.
    expect(await pass(first)).toEqual({ kind: 'over' });
    expect(await log()).toEqual(['Worker second', 'Worker first']);
    expect(await repo.run(['merge-base', '--is-ancestor', rebasing.onto, BRANCH], at)).toBe('');
  });

  test('stops again at the next commit that conflicts', async () => {
    await using repo = await scratchRepo();
    const { begin, resolve, pass, first, situation, rebasing, log } = await conflicting(repo, { 'a.txt': 'worker again\n' });
    await begin();
    await resolve('both\n');
    expect(await pass(first)).toEqual({ kind: 'stopped' });
    const next = await situation();
    expect(next).toMatchObject({ kind: 'stopped', commit: rebasing.head, unmerged: ['a.txt'] });
    // Passed again after a crash: the second stop stays.
    expect(await pass(first)).toEqual({ kind: 'stopped' });
    expect(await situation()).toEqual(next);
    await resolve('both again\n');
    expect(await pass(rebasing.head, 'head' in next ? next.head : '')).toEqual({ kind: 'over' });
    expect(await log()).toEqual(['Worker second', 'Worker first']);
  });

  test('leaves out a commit that is resolved to what main has', async () => {
    await using repo = await scratchRepo();
    const { begin, resolve, pass, first, log } = await conflicting(repo);
    await begin();
    await resolve('main\n');
    expect(await pass(first)).toEqual({ kind: 'over' });
    expect(await log()).toEqual(['Worker second']);
  });

  test.each([
    ['exec in the list of steps', 'git-rebase-todo', 'exec touch PWNED\n'],
    ['exec before the other steps', 'git-rebase-todo', 'exec touch PWNED\npick 0000000\n'],
    ['a strategy, which is the name of a program', 'strategy', '../../PWNED\n'],
    ['options of the strategy', 'strategy_opts', "--foo='$(touch PWNED)'\n"],
    ['the program that signs', 'gpg_sign_opt', '-S;touch PWNED\n'],
    ['the script with the author', 'author-script', "GIT_AUTHOR_NAME='x'\ntouch PWNED\n"],
  ])('is passed without what the agent wrote into git’s record: %s', async (_, file, text) => {
    await using repo = await scratchRepo();
    const { at, begin, resolve, pass, first, state, log } = await conflicting(repo);
    await begin();
    await resolve('main\nworker\n');
    const planted = text.replaceAll('PWNED', join(repo.dir, 'pwned'));
    if (file === 'git-rebase-todo') await appendFile(join(state, file), planted);
    else await writeFile(join(state, file), planted);
    expect(await pass(first)).toEqual({ kind: 'over' });
    expect(existsSync(join(repo.dir, 'pwned'))).toBe(false);
    expect(existsSync(join(at, 'pwned'))).toBe(false);
    expect(await log()).toEqual(['Worker second', 'Worker first']);
  });

  test('at a commit that is not the worker’s has no commit to pass', async () => {
    await using repo = await scratchRepo();
    const { begin, state, situation, rebasing } = await conflicting(repo);
    await begin();
    for (const text of [rebasing.onto, 'zzz', '', '../../etc/passwd']) {
      await writeFile(join(state, 'stopped-sha'), text);
      expect(await situation()).toMatchObject({ kind: 'stopped', commit: undefined });
    }
    await rm(join(state, 'stopped-sha'));
    await mkdir(join(state, 'stopped-sha'));
    expect(await situation()).toMatchObject({ kind: 'stopped', commit: undefined });
  });

  test('is aborted to the commit that llmc recorded, whatever the agent’s record says', async () => {
    await using repo = await scratchRepo();
    const { at, begin, state, rebasing, situation } = await conflicting(repo);
    await repo.run(['branch', 'llmc/baker', 'HEAD'], at);
    const baker = await repo.run(['rev-parse', 'llmc/baker'], at);
    await begin();
    await writeFile(join(state, 'head-name'), 'refs/heads/llmc/baker\n');
    await writeFile(join(state, 'orig-head'), `${rebasing.onto}\n`);
    await abortRebase(repo.git, at, BRANCH, rebasing.head);
    expect(await situation()).toMatchObject({ kind: 'over', at: 'old', branch: BRANCH, head: rebasing.head });
    expect(await repo.run(['rev-parse', 'llmc/baker'], at)).toBe(baker);
    expect(await repo.run(['status', '--porcelain'], at)).toBe('');
  });

  test('replays a resolution that git has recorded: nothing is left unmerged', async () => {
    await using repo = await scratchRepo();
    const { at, begin, resolve, pass, first, rebasing, situation } = await conflicting(repo);
    await begin();
    await resolve('main\nworker\n');
    await repo.run(['-c', 'core.editor=true', 'rebase', '--continue'], at);
    await abortRebase(repo.git, at, BRANCH, rebasing.head);
    expect(await begin()).toEqual({ kind: 'stopped' });
    expect(await situation()).toMatchObject({ kind: 'stopped', commit: first, unmerged: [], unstaged: [] });
    expect(await pass(first)).toEqual({ kind: 'over' });
    expect(await repo.run(['show', 'HEAD~1:a.txt'], at)).toBe('main\nworker');
  });
});

test('git signs nothing, and a committer is found where git knows none', async () => {
  await using repo = await scratchRepo();
  const { at, begin, resolve, pass, first, root } = await conflicting(repo);
  for (const setting of ['commit.gpgSign=true', 'gpg.program=/bin/false']) await repo.run(['config', ...setting.split('=')], root);
  await repo.run(['config', '--remove-section', 'user'], root);
  await repo.run(['config', 'user.useConfigOnly', 'true'], root);
  expect(await begin()).toEqual({ kind: 'stopped' });
  await resolve('both\n');
  expect(await pass(first)).toEqual({ kind: 'over' });
  expect(await repo.run(['log', '-2', '--format=%an|%cn'], at)).toBe('Scratch User|llmc\nScratch User|llmc');
});

describe('a rebase that is over', () => {
  test.each(['old', 'elsewhere'] as const)('is at %s', async (expected) => {
    await using repo = await scratchRepo();
    const { at, begin, situation } = await conflicting(repo);
    await begin();
    await repo.run(['rebase', '--abort'], at);
    if (expected === 'elsewhere') await repo.commit('Something else', { 'd.txt': 'x\n' }, at);
    expect(await situation()).toMatchObject({ kind: 'over', at: expected, branch: BRANCH });
  });
});
