import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addSubmodule, checkOutSubmodule, scratchRepo, scratchRoot } from '../../test/support/scratch-repo.ts';
import type { Processes } from '../base/ports.ts';
import { commitsAhead, dirtyFiles, isAncestor, mergeBase, readCommitId, readStatus } from './inspect.ts';
import { hashPatch } from './landing/patch.ts';
import { rebaseInProgress, unfinishedOperation } from './rebase/operation.ts';
import { openGit, write } from './run.ts';
import { fetchMain } from './source/fetch.ts';
import { parseStatus } from './worktree/status.ts';

test('status lines of every kind are read, whatever the path contains', () => {
  const text = [
    '# branch.oid abc',
    '# branch.head llmc/adam',
    '1 .M N... 100644 100644 100644 h1 h2 a b\nc.txt',
    'u UU N... 100644 100644 100644 100644 h1 h2 h3 both ä',
    '? new file',
    '',
  ].join('\0');
  expect(parseStatus(text)).toEqual({
    head: 'abc',
    branch: 'llmc/adam',
    changes: [
      { path: 'a b\nc.txt', kind: 'changed' },
      { path: 'both ä', kind: 'unmerged' },
      { path: 'new file', kind: 'untracked' },
    ],
  });
  expect(parseStatus('# branch.oid (initial)\0# branch.head (detached)\0')).toEqual({ head: undefined, branch: undefined, changes: [] });
});

describe('a worktree', () => {
  test('tells head, branch, dirt, distance and fork point', async () => {
    await using repo = await scratchRepo({ files: { 'a.txt': 'a\n', '.gitignore': 'node_modules\n' } });
    const { base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    const made = await repo.commit('Work', { 'b.txt': 'b\n' }, path);
    expect(await dirtyFiles(repo.git, path)).toEqual([]);
    expect(await readCommitId(repo.git, path)).toBe(made);
    expect((await readStatus(repo.git, path)).branch).toBe('llmc/adam');
    expect(await commitsAhead(repo.git, path, base)).toBe(1);
    expect(await mergeBase(repo.git, path, base, 'HEAD')).toBe(base);
    expect(await isAncestor(repo.git, path, base, made)).toBe(true);
    expect(await isAncestor(repo.git, path, made, base)).toBe(false);
    await repo.write('a.txt', 'changed', path);
    await repo.write('nëw file', 'x', path);
    await repo.write('node_modules/x', 'x', path);
    expect(await dirtyFiles(repo.git, path)).toEqual(['a.txt', 'nëw file']);
  });

  test('without submodules is read with one process, with clean ones without changes', async () => {
    await using repo = await scratchRepo();
    const count = async (path: string) => {
      let started = 0;
      const run: Processes['run'] = (command, options) => {
        started += 1;
        return repo.processes.run(command, options);
      };
      expect((await readStatus(openGit({ run }), path)).changes).toEqual([]);
      return started;
    };
    const root = await scratchRoot(repo);
    expect(await count(await root.worktree('adam'))).toBe(1);
    await addSubmodule(repo);
    await fetchMain(repo.git, root.root, 'main', repo.path);
    const path = await root.worktree('baker');
    await checkOutSubmodule(repo, path);
    // The status, the list of submodules, and for each its configuration, its own list and its status.
    expect(await count(path)).toBe(5);
  });

  test('tells nothing in common from a failure', async () => {
    await using repo = await scratchRepo();
    await repo.run(['checkout', '--quiet', '--orphan', 'island']);
    await repo.commit('Island', {});
    expect(await mergeBase(repo.git, repo.path, 'main', 'island')).toBeUndefined();
    await expect(mergeBase(repo.git, repo.path, 'main', 'nope')).rejects.toMatchObject({ code: 'GIT_FAILED' });
    await expect(isAncestor(repo.git, repo.path, 'main', 'nope')).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });

  test('tells a rebase, its branch, and that it has ended', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const path = await (await scratchRoot(repo)).worktree('adam');
    expect(await unfinishedOperation(repo.git, path)).toBeUndefined();
    await repo.commit('Theirs', { a: '2\n' }, path);
    await repo.run(['branch', 'other', 'HEAD~1'], path);
    await repo.run(['checkout', '--quiet', 'other'], path);
    await repo.commit('Ours', { a: '3\n' }, path);
    await repo.git.run(write(path, 'rebase', 'llmc/adam'));
    expect(await unfinishedOperation(repo.git, path)).toEqual({ operation: 'rebase', branch: 'other' });
    expect(await rebaseInProgress(repo.git, path)).toBe(true);
    await repo.run(['rebase', '--abort'], path);
    await repo.git.run(write(path, 'merge', 'llmc/adam'));
    expect(await unfinishedOperation(repo.git, path)).toEqual({ operation: 'merge', branch: undefined });
    expect((await readStatus(repo.git, path)).changes).toEqual([{ path: 'a', kind: 'unmerged' }]);
  });
});

describe('the name of a patch', () => {
  const lines = (...changed: readonly [number, string][]) =>
    Array.from({ length: 40 }, (_, i) => `${changed.find(([at]) => at === i)?.[1] ?? `line ${i}`}\n`).join('');

  test('stays the same when the patch is rebased over changes elsewhere in the file', async () => {
    await using repo = await scratchRepo({ files: { f: lines() } });
    const { base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await repo.commit('Work', { f: lines([30, 'mine']), 'neu ä': 'x\n' }, path);
    const before = await hashPatch(repo.git, path, base);
    const next = await repo.commit('Elsewhere', { f: `top\n${lines([2, 'theirs'])}` });
    await repo.run(['fetch', '--quiet', 'origin'], path);
    await repo.run(['rebase', '--quiet', next], path);
    expect(await hashPatch(repo.git, path, next)).toBe(before);
  });

  test.each<[string, string | Uint8Array, string | Uint8Array]>([
    ['white space', lines([5, 'if x:']), lines([5, '  if x:'])],
    ['a line in another place', lines([5, 'moved']), lines([25, 'moved'])],
    ['bytes that are not UTF-8', new Uint8Array([0x61, 0xe9, 0x0a]), new Uint8Array([0x61, 0xe8, 0x0a])],
    ['binary content', new Uint8Array([0, 1, 2, 0, 9]), new Uint8Array([0, 1, 2, 0, 8])],
    ['the end of the last line', 'a', 'a\n'],
  ])('changes with %s', async (_, one, other) => {
    await using repo = await scratchRepo({ files: { f: lines() } });
    const ids: string[] = [];
    for (const content of [one, other]) {
      await writeFile(join(repo.path, 'f'), content);
      const sha = await repo.commit('Try', {});
      ids.push(await hashPatch(repo.git, repo.path, `${sha}~1`, sha));
      await repo.run(['reset', '--hard', '--quiet', 'HEAD~1']);
    }
    expect(ids[0]).toMatch(/^[0-9a-f]{40}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('changes with the mode of a file', async () => {
    await using repo = await scratchRepo({ files: { f: 'x\n' } });
    const start = await readCommitId(repo.git, repo.path);
    const same = await hashPatch(repo.git, repo.path, start, start);
    await repo.run(['update-index', '--chmod=+x', 'f']);
    await repo.run(['commit', '--quiet', '-m', 'Mode']);
    expect(await hashPatch(repo.git, repo.path, start)).not.toBe(same);
  });

  test('of a commit that is not there is a failure, not the name of nothing', async () => {
    await using repo = await scratchRepo();
    await expect(hashPatch(repo.git, repo.path, 'nope', 'HEAD')).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});
