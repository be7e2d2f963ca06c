import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addSubmodule, checkOutSubmodule, type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { dirtyFiles, readCommitId } from '../inspect.ts';
import { type Git, type GitCall, write } from '../run.ts';
import { fetchMain } from '../source/fetch.ts';
import { predictConflicts } from './conflict.ts';
import { rebaseInProgress } from './operation.ts';
import { overwrittenFiles } from './overwritten.ts';
import { rebaseCall, rebaseOnto } from './rebase.ts';

test('the call switches off everything that would stash, reorder, sign or move other branches', () => {
  const { args } = rebaseCall('/w', 'abc');
  for (const setting of ['rebase.autoStash=false', 'rebase.updateRefs=false', 'rebase.autoSquash=false', 'gc.auto=0']) {
    expect(args[args.indexOf(setting) - 1]).toBe('-c');
  }
  expect(args.slice(args.indexOf('rebase'))).toEqual([
    'rebase',
    '--merge',
    '--quiet',
    '--no-verify',
    '--no-gpg-sign',
    '--no-fork-point',
    '--end-of-options',
    'abc',
  ]);
});

test('files in the way are read from what git prints', () => {
  const stderr =
    'error: The following untracked working tree files would be overwritten by checkout:\n\ta b.txt\n\tü\nPlease move or remove them\n';
  expect(overwrittenFiles(stderr)).toEqual(['a b.txt', 'ü']);
  expect(overwrittenFiles('fatal: other\n\ttabbed\n')).toEqual([]);
});

async function begun(repo: ScratchRepo) {
  const { root, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  return {
    root,
    path,
    async moveMain(files: Record<string, string>) {
      await repo.commit('Main', files);
      return fetchMain(repo.git, root, 'main', repo.path);
    },
  };
}

/** The same git, remembering what it was asked. */
function watched(repo: ScratchRepo) {
  const calls: GitCall[] = [];
  const git: Git = {
    ...repo.git,
    run(call, options) {
      calls.push(call);
      return repo.git.run(call, options);
    },
  };
  return { calls, git };
}

describe('a rebase', () => {
  test('puts the work on the new main', async () => {
    await using repo = await scratchRepo();
    const { path, moveMain } = await begun(repo);
    await repo.commit('Work', { mine: 'm\n' }, path);
    const main = await moveMain({ theirs: 't\n' });
    const outcome = await rebaseOnto(repo.git, path, main);
    expect(outcome).toEqual({ kind: 'clean', head: await readCommitId(repo.git, path) });
    expect(await repo.run(['rev-parse', 'HEAD~1'], path)).toBe(main);
    expect(await repo.run(['symbolic-ref', '--short', 'HEAD'], path)).toBe('llmc/adam');
  });

  test('done twice is up to date the second time', async () => {
    await using repo = await scratchRepo();
    const { path, moveMain } = await begun(repo);
    await repo.commit('Work', { mine: 'm\n' }, path);
    const main = await moveMain({ theirs: 't\n' });
    await rebaseOnto(repo.git, path, main);
    expect(await rebaseOnto(repo.git, path, main)).toEqual({ kind: 'up-to-date', head: await readCommitId(repo.git, path), changed: [] });
  });

  test('of a worker without commits moves it to the new main', async () => {
    await using repo = await scratchRepo();
    const { path, moveMain } = await begun(repo);
    const main = await moveMain({ theirs: 't\n' });
    expect(await rebaseOnto(repo.git, path, main)).toEqual({ kind: 'clean', head: main });
  });

  test('that would conflict is not even started', async () => {
    await using repo = await scratchRepo({ files: { 'a ä.txt': '1\n', b: '1\n' } });
    const { path, moveMain } = await begun(repo);
    const head = await repo.commit('Work', { 'a ä.txt': 'mine\n', b: 'mine\n', c: 'c\n' }, path);
    const main = await moveMain({ 'a ä.txt': 'theirs\n', b: 'theirs\n' });
    const { git, calls } = watched(repo);
    expect(await rebaseOnto(git, path, main)).toEqual({ kind: 'conflict', files: ['a ä.txt', 'b'] });
    expect(calls.some((call) => call.args.includes('rebase'))).toBe(false);
    expect(await readCommitId(repo.git, path)).toBe(head);
    expect(await dirtyFiles(repo.git, path)).toEqual([]);
  });

  test('in which one commit of several conflicts is taken back completely', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const { path, moveMain } = await begun(repo);
    await repo.commit('There', { a: 'mine\n' }, path);
    const head = await repo.commit('And back', { a: '1\n', other: 'x\n' }, path);
    const main = await moveMain({ a: 'theirs\n' });
    expect(await predictConflicts(repo.git, path, main, head)).toEqual([]);
    expect(await rebaseOnto(repo.git, path, main)).toEqual({ kind: 'conflict', files: ['a'] });
    expect(await rebaseInProgress(repo.git, path)).toBe(false);
    expect(await readCommitId(repo.git, path)).toBe(head);
    expect(await repo.run(['symbolic-ref', '--short', 'HEAD'], path)).toBe('llmc/adam');
    expect(await dirtyFiles(repo.git, path)).toEqual([]);
  });

  test('does not touch uncommitted changes', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const { path, moveMain } = await begun(repo);
    const main = await moveMain({ b: '1\n' });
    await repo.write('a', 'draft\n', path);
    expect(await rebaseOnto(repo.git, path, main)).toEqual({ kind: 'dirty', files: ['a'] });
    expect(await repo.read('a', path)).toBe('draft\n');
  });

  test('leaves untracked files alone and names those that are in the way', async () => {
    await using repo = await scratchRepo();
    const { path, moveMain } = await begun(repo);
    const head = await repo.commit('Work', { mine: 'm\n' }, path);
    await repo.write('notes ü', 'n\n', path);
    const first = await moveMain({ theirs: 't\n' });
    expect(await rebaseOnto(repo.git, path, first)).toMatchObject({ kind: 'clean' });
    expect(head).not.toBe(await readCommitId(repo.git, path));
    const second = await moveMain({ 'notes ü': 'tracked now\n' });
    expect(await rebaseOnto(repo.git, path, second)).toEqual({ kind: 'dirty', files: ['notes ü'] });
    expect(await repo.read('notes ü', path)).toBe('n\n');
    expect(await rebaseInProgress(repo.git, path)).toBe(false);
  });

  test('keeps away from a rebase the agent has begun', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const { path, moveMain } = await begun(repo);
    await repo.commit('Work', { a: 'mine\n' }, path);
    const main = await moveMain({ a: 'theirs\n' });
    await repo.git.run(write(path, 'rebase', main));
    expect(await rebaseOnto(repo.git, path, main)).toEqual({ kind: 'busy', operation: 'rebase' });
    expect(await rebaseInProgress(repo.git, path)).toBe(true);
  });

  test('works where git knows no committer, and keeps the author', async () => {
    await using repo = await scratchRepo();
    const { root, path, moveMain } = await begun(repo);
    await repo.commit('Work', { mine: 'm\n' }, path);
    const main = await moveMain({ theirs: 't\n' });
    await repo.run(['config', '--remove-section', 'user'], root);
    await repo.run(['config', 'user.useConfigOnly', 'true'], root);
    expect(await rebaseOnto(repo.git, path, main)).toMatchObject({ kind: 'clean' });
    expect(await repo.run(['log', '-1', '--format=%an|%cn <%ce>'], path)).toBe('Scratch User|llmc <llmc@localhost>');
  });
});

/** What a person or an agent teaches git: each stop of a rebase resolved with these files, and the branch back where it was. */
async function teach(repo: ScratchRepo, path: string, upstream: string, stops: readonly Record<string, string>[]): Promise<void> {
  const head = await readCommitId(repo.git, path);
  await repo.git.run(write(path, 'rebase', '--no-rerere-autoupdate', upstream));
  for (const files of stops) {
    for (const [file, text] of Object.entries(files)) await repo.write(file, text, path);
    await repo.run(['add', '--all'], path);
    await repo.run(['rerere'], path);
    await repo.git.run(write(path, 'rebase', '--continue'));
  }
  expect(await rebaseInProgress(repo.git, path)).toBe(false);
  await repo.run(['checkout', '--quiet', '-B', 'llmc/adam', head], path);
}

describe('a rebase whose conflicts git has seen resolved before', () => {
  /** The sum of both commits merges, so it is started; each of them conflicts. */
  async function thereAndBack(repo: ScratchRepo) {
    const { path, root, moveMain } = await begun(repo);
    await repo.commit('There', { a: 'mine\n' }, path);
    const head = await repo.commit('And back', { a: '1\n', other: 'x\n' }, path);
    const main = await moveMain({ a: 'theirs\n' });
    expect(await predictConflicts(repo.git, path, main, head)).toEqual([]);
    return { path, root, head, main };
  }

  test('is taken back: a replayed resolution is proven before it counts', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const { path, root, head, main } = await thereAndBack(repo);
    await teach(repo, path, main, [{ a: 'both\n' }, { a: 'theirs again\n' }]);
    await repo.run(['config', 'rerere.autoUpdate', 'true'], root);
    expect(await rebaseOnto(repo.git, path, main)).toEqual({ kind: 'conflict', files: ['a'] });
    expect(await readCommitId(repo.git, path)).toBe(head);
    expect(await rebaseInProgress(repo.git, path)).toBe(false);
    expect(await dirtyFiles(repo.git, path)).toEqual([]);
  });
});

test('a rebase takes along the submodules that are checked out', async () => {
  await using repo = await scratchRepo();
  const remote = await addSubmodule(repo);
  const { root, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const lib = await checkOutSubmodule(repo, path);
  await repo.commit('Work', { 'a.txt': 'a\n' }, path);
  const next = await repo.commit('Two', { 'lib.txt': 'two\n' }, remote);
  await repo.run(['pull', '--quiet', 'origin', 'main'], join(repo.path, 'lib'));
  await repo.commit('Take two', {});
  await repo.run(['fetch', '--quiet', 'origin'], lib);
  expect(await rebaseOnto(repo.git, path, await fetchMain(repo.git, root, 'main', repo.path))).toMatchObject({ kind: 'clean' });
  expect(await repo.run(['rev-parse', 'HEAD'], lib)).toBe(next);
  expect(await dirtyFiles(repo.git, path)).toEqual([]);
});
