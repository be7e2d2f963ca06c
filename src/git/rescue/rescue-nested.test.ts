import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addSubmodule,
  checkOutSubmodule,
  initInside,
  type ScratchRepo,
  scratchRepo,
  scratchRoot,
} from '../../../test/support/scratch-repo.ts';
import { removeWorktree } from '../worktree/worktree.ts';
import { findRescue, listRescues, requireWhole, saveRescue } from './rescue.ts';
import { restoreInto, showRescue } from './rescue-restore.ts';

const NOW = Date.UTC(2026, 0, 31, 23, 59, 59);

async function begun(repo: ScratchRepo) {
  const { root, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const request = { root, worktree: path, worker: 'adam', base: 'refs/remotes/origin/main', reason: 'before a test', now: NOW };
  const saved = async () => {
    const made = await saveRescue(repo.git, request);
    requireWhole(made, path);
    await removeWorktree(repo.git, root, 'adam', path);
    return await findRescue(repo.git, root, 'adam');
  };
  const show = async () => showRescue(repo.git, root, await findRescue(repo.git, root, 'adam'), request.base);
  return { root, path, request, saved, show, worktree };
}

describe('work in a submodule', () => {
  test('outlives the worktree: its commit, its uncommitted files and its other branches', async () => {
    await using repo = await scratchRepo();
    await addSubmodule(repo);
    const { root, path, saved, show } = await begun(repo);
    const lib = await checkOutSubmodule(repo, path);
    await repo.run(['checkout', '--quiet', '-b', 'aside'], lib);
    const aside = await repo.commit('Aside', { 'aside.txt': 'a\n' }, lib);
    await repo.run(['checkout', '--quiet', '--detach', 'HEAD~1'], lib);
    const made = await repo.commit('Two', { 'lib.txt': 'two\n' }, lib);
    await repo.write('loose.txt', 'l\n', lib);
    const { sha } = await saved();
    for (const commit of [made, aside]) await repo.run(['merge-base', '--is-ancestor', commit, sha], root);
    const diff = await show();
    for (const line of ['--- a/lib/lib.txt', '+two', '+++ b/lib/loose.txt', '+l']) expect(diff).toContain(`${line}\n`);
  });

  test('comes back into a worktree that has it checked out, and into one that has not', async () => {
    await using repo = await scratchRepo();
    await addSubmodule(repo);
    const { path, request, saved, worktree } = await begun(repo);
    const lib = await checkOutSubmodule(repo, path);
    const made = await repo.commit('Two', { 'lib.txt': 'two\n' }, lib);
    await repo.commit('Take two', {}, path);
    await repo.write('loose.txt', 'l\n', lib);
    const rescued = await saved();
    const other = await worktree('baker');
    await checkOutSubmodule(repo, other);
    for (const [worker, at] of [
      ['baker', other],
      ['clara', await worktree('clara')],
    ] as const) {
      await restoreInto(repo.git, { ...request, worker, worktree: at, branch: `llmc/${worker}` }, rescued);
      expect(await repo.run(['rev-parse', 'HEAD'], join(at, 'lib'))).toBe(made);
      expect(await repo.run(['status', '--porcelain'], join(at, 'lib'))).toBe('?? loose.txt');
    }
  });

  test('that its remote has, or that is as main records it, needs no rescue', async () => {
    await using repo = await scratchRepo();
    const remote = await addSubmodule(repo);
    const { path, request } = await begun(repo);
    const lib = await checkOutSubmodule(repo, path);
    expect(await saveRescue(repo.git, request)).toBeUndefined();
    await repo.run(['config', 'receive.denyCurrentBranch', 'ignore'], remote);
    await repo.run(['checkout', '--quiet', '--detach'], lib);
    await repo.commit('Two', { 'lib.txt': 'two\n' }, lib);
    await repo.run(['push', '--quiet', 'origin', 'HEAD:refs/heads/main'], lib);
    const made = await saveRescue(repo.git, request);
    expect(await repo.run(['rev-list', '--count', `${made?.sha}^@`, '--not', 'origin/main'], request.root)).toBe('0');
  });

  test('is saved once: the same again is the same rescue', async () => {
    await using repo = await scratchRepo();
    await addSubmodule(repo);
    const { root, path, request } = await begun(repo);
    await repo.write('lib.txt', 'two\n', await checkOutSubmodule(repo, path));
    const first = await saveRescue(repo.git, request);
    expect(await saveRescue(repo.git, { ...request, now: NOW + 60_000 })).toEqual(first);
    expect(await listRescues(repo.git, root)).toHaveLength(1);
  });

  test('that was never checked out is saved too, though git does not show a file there', async () => {
    await using repo = await scratchRepo();
    await addSubmodule(repo);
    const { path, request, saved, show, worktree } = await begun(repo);
    await repo.write('lib/by hand.txt', 'h\n', path);
    expect(await repo.run(['status', '--porcelain'], path)).toBe('');
    const rescued = await saved();
    expect(await show()).toContain('+++ b/lib/by hand.txt');
    const other = await worktree('baker');
    await restoreInto(repo.git, { ...request, worker: 'baker', worktree: other, branch: 'llmc/baker' }, rescued);
    expect(await repo.read('lib/by hand.txt', other)).toBe('h\n');
  });
});

describe('work in a repository inside the worktree', () => {
  test.for(['inner', 'deep/er ü'])('%s outlives it, also where there is no commit yet, also in one more inside', async (name) => {
    await using repo = await scratchRepo();
    const { path, request, saved, show, worktree } = await begun(repo);
    const inner = await initInside(repo, path, name);
    const made = await repo.commit('Inner', { 'a.txt': 'a\n' }, inner);
    await repo.write('loose.txt', 'l\n', inner);
    const fresh = await initInside(repo, inner, 'fresh');
    await repo.write('b.txt', 'b\n', fresh);
    const rescued = await saved();
    const diff = await show();
    for (const file of ['a.txt', 'loose.txt', 'fresh/b.txt']) expect(diff.replaceAll('"', '')).toMatch(new RegExp(`\\+\\+\\+ b/.*${file}`));
    const other = await worktree('baker');
    await restoreInto(repo.git, { ...request, worker: 'baker', worktree: other, branch: 'llmc/baker' }, rescued);
    expect(await repo.run(['rev-parse', 'HEAD'], join(other, name))).toBe(made);
    expect(await repo.read(join(name, 'loose.txt'), other)).toBe('l\n');
    expect(await repo.read(join(name, 'fresh/b.txt'), other)).toBe('b\n');
  });

  test('that is broken is named, the rest is saved, and nothing may be destroyed', async () => {
    await using repo = await scratchRepo();
    const { root, path, request } = await begun(repo);
    const inner = await initInside(repo, path, 'inner');
    const made = await repo.commit('Inner', { 'a.txt': 'a\n' }, inner);
    await rm(join(inner, '.git/objects', made.slice(0, 2)), { recursive: true });
    await repo.write('kept', 'k\n', path);
    const saved = await saveRescue(repo.git, request);
    expect(saved?.missed.join()).toMatch(/^inner: /);
    expect(await repo.run(['show', `${saved?.sha}:kept`], root)).toBe('k');
    expect(() => requireWhole(saved, path)).toThrow(expect.objectContaining({ code: 'WORK_NOT_SAVED' }));
  });

  test('and that is a second worktree of the same repository is saved without the branches of everybody else', async () => {
    await using repo = await scratchRepo();
    const { root, path, request, worktree } = await begun(repo);
    await repo.commit('Elsewhere', { 'b.txt': 'b\n' }, await worktree('baker'));
    await repo.run(['worktree', 'add', '--quiet', '--detach', 'second'], path);
    await repo.write('loose.txt', 'l\n', join(path, 'second'));
    const made = await saveRescue(repo.git, request);
    expect(made?.missed).toEqual([]);
    expect(await repo.run(['log', '--format=%s', `${made?.sha}`], root)).not.toContain('Elsewhere');
    expect(await repo.run(['show', `${made?.sha}^2:loose.txt`], root)).toBe('l');
  });
});

test('older stashes, tags and commits that only the reflog knows are saved too', async () => {
  await using repo = await scratchRepo();
  const { root, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const inner = await initInside(repo, path, 'lib');
  await repo.commit('Begin', { 'lib.txt': 'one\n' }, inner);
  const stashes: string[] = [];
  for (const text of ['older', 'newer']) {
    await repo.write('lib.txt', `${text}\n`, inner);
    await repo.run(['stash'], inner);
    stashes.push(await repo.run(['rev-parse', 'stash@{0}'], inner));
  }
  const tagged = await repo.commit('Tagged', { t: '1\n' }, inner);
  await repo.run(['tag', '--annotate', '-m', 'One', 'v1'], inner);
  await repo.run(['reset', '--quiet', '--hard', 'HEAD~1'], inner);
  const dropped = await repo.commit('Dropped', { d: '1\n' }, inner);
  await repo.run(['reset', '--quiet', '--hard', 'HEAD~1'], inner);
  const request = { root, worktree: path, worker: 'adam', base: 'refs/remotes/origin/main', reason: 'test', now: 0 };
  const saved = await saveRescue(repo.git, request);
  for (const sha of [...stashes, tagged, dropped]) await repo.run(['merge-base', '--is-ancestor', sha, `${saved?.sha}`], root);
});
