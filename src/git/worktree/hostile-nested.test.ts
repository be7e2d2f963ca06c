import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { arm, begunWorktree as begun, NOW } from '../../../test/support/hostile-repo.ts';
import { addSubmodule, checkOutSubmodule, initInside, type ScratchRepo, scratchRepo } from '../../../test/support/scratch-repo.ts';
import { diffText } from '../diff.ts';
import { readCommitId, readStatus } from '../inspect.ts';
import { changedGitlinks, unknownGitlinks } from '../landing/unknown-gitlinks.ts';
import { predictConflicts } from '../rebase/conflict.ts';
import { rebaseOnto } from '../rebase/rebase.ts';
import { findRescue, requireWhole } from '../rescue/rescue.ts';
import { restoreInto } from '../rescue/rescue-restore.ts';
import { write } from '../run.ts';

test('a nested repository whose configuration is garbage stops the status with a hint that names it', async () => {
  await using repo = await scratchRepo();
  const { path } = await begun(repo);
  const inner = await initInside(repo, path, 'inner');
  await repo.commit('Inner', { a: '1\n' }, inner);
  await repo.run(['add', 'inner'], path);
  await repo.write('.git/config', 'garbage [\n', inner);
  await expect(readStatus(repo.git, path)).rejects.toMatchObject({
    code: 'GIT_FAILED',
    hint: `git cannot read ${inner}/.git/config. Fix it, or move ${inner} away, then try again.`,
  });
});

describe('the configuration of a submodule is never read by a git of llmc', () => {
  async function armed(repo: ScratchRepo) {
    await addSubmodule(repo);
    const all = await begun(repo);
    const lib = await checkOutSubmodule(repo, all.path);
    await repo.write('lib.txt', 'two\n', lib);
    await repo.write('loose.txt', 'l\n', lib);
    return { ...all, lib, canary: await arm(repo, lib) };
  }

  test('by the status, which still says that the submodule has changes', async () => {
    await using repo = await scratchRepo();
    const { path, canary } = await armed(repo);
    expect((await readStatus(repo.git, path)).changes).toEqual([{ path: 'lib', kind: 'changed' }]);
    expect(await canary()).toBe('');
  });

  test('by a rescue, a reset and a restore, which still save and bring back its files', async () => {
    await using repo = await scratchRepo();
    const { root, path, lib, canary, save, reset, request } = await armed(repo);
    // Also a change outside it: then the files of the worktree are added.
    await repo.write('more', 'm\n', path);
    const saved = await save();
    requireWhole(saved, path);
    expect(await canary()).toBe('');
    await reset();
    expect(await canary()).toBe('');
    expect(await readStatus(repo.git, path)).toMatchObject({ changes: [] });
    await restoreInto(repo.git, { ...request, branch: 'llmc/adam', now: NOW + 1_000 }, await findRescue(repo.git, root, 'adam'));
    expect(await canary()).toBe('');
    expect(await repo.read('loose.txt', lib)).toBe('l\n');
    expect(await repo.read('lib.txt', lib)).toBe('two\n');
  });

  test('by a diff, also if the user shows submodules in full', async () => {
    await using repo = await scratchRepo();
    const { root, base, path, lib, canary } = await armed(repo);
    await repo.run(
      ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--no-gpg-sign', '-am', 'Two'],
      lib,
    );
    await repo.run(['update-index', '--', 'lib'], path);
    await repo.run(['commit', '--quiet', '-m', 'Take two'], path);
    await repo.run(['config', 'diff.submodule', 'diff'], root);
    await rm(join(repo.dir, 'canary'), { force: true });
    expect(await diffText(repo.git, root, base, await readCommitId(repo.git, path))).toContain('+Subproject commit');
    expect(await canary()).toBe('');
    expect(await unknownGitlinks(repo.git, path, await changedGitlinks(repo.git, path, base, 'HEAD'))).toMatchObject([
      { path: 'lib', why: 'not-on-remote' },
    ]);
    expect(await canary()).toBe('');
  });

  test.for(['rebase', 'bisect'])('in the middle of a %s, at its end, and by a rebase', async (operation) => {
    await using repo = await scratchRepo();
    const { base, path, canary, reset } = await armed(repo);
    const quiet = ['-c', 'core.fsmonitor=false', '-c', 'diff.ignoreSubmodules=all'];
    await repo.write('README.md', 'mine\n', path);
    await repo.run(['commit', '--quiet', '-m', 'Mine', '--', 'README.md'], path);
    await repo.write('README.md', 'theirs\n');
    await repo.run(['commit', '--quiet', '-m', 'Theirs', '--', 'README.md']);
    const theirs = await repo.run(['rev-parse', 'HEAD']);
    await repo.run(['fetch', '--quiet', '--no-recurse-submodules', 'origin'], path);
    await rm(join(repo.dir, 'canary'), { force: true });
    expect(await rebaseOnto(repo.git, path, theirs)).toMatchObject({ kind: 'dirty', files: ['lib'] });
    expect(await canary()).toBe('');
    if (operation === 'rebase') await repo.git.run(write(path, ...quiet, 'rebase', '--quiet', theirs));
    else await repo.run([...quiet, 'bisect', 'start', '--no-checkout', 'HEAD', `${base}~1`], path);
    if (operation === 'bisect') await repo.run(['update-ref', '-d', 'BISECT_HEAD'], path);
    await rm(join(repo.dir, 'canary'), { force: true });
    await reset();
    expect(await canary()).toBe('');
    expect(await readStatus(repo.git, path)).toMatchObject({ head: base, branch: 'llmc/adam', changes: [] });
  });
});

test('the merge of two commits of a submodule does not fetch into it with its own command', async () => {
  await using repo = await scratchRepo();
  const remote = await addSubmodule(repo);
  const { path } = await begun(repo);
  const lib = await checkOutSubmodule(repo, path);
  const moved = async (sha: string, at: string) => {
    await repo.run(['update-index', '--cacheinfo', `160000,${sha},lib`], at);
    await repo.run(['commit', '--quiet', '-m', 'Move it'], at);
    return await repo.run(['rev-parse', 'HEAD'], at);
  };
  const theirs = await moved(await repo.commit('Two', { 'lib.txt': 'two\n' }, remote), repo.path);
  await moved('1'.repeat(40), path);
  await repo.run(['fetch', '--quiet', '--no-recurse-submodules', 'origin'], path);
  const promise = { 'core.repositoryFormatVersion': '1', 'extensions.partialClone': 'origin', 'remote.origin.promisor': 'true' };
  const canary = await arm(repo, lib);
  for (const [key, value] of Object.entries(promise)) await repo.run(['config', key, value], lib);
  await rm(join(repo.dir, 'canary'), { force: true });
  expect(await predictConflicts(repo.git, path, theirs, 'HEAD')).toEqual(['lib']);
  expect(await canary()).toBe('');
});

describe('a repository inside the worktree', () => {
  test('that is not a submodule is saved without its configuration, too', async () => {
    await using repo = await scratchRepo();
    const { root, path, save, reset } = await begun(repo);
    const inner = await initInside(repo, path, 'inner');
    await repo.commit('Inner', { a: 'a\n' }, inner);
    await repo.write('loose', 'l\n', inner);
    const canary = await arm(repo, inner);
    const saved = await save();
    requireWhole(saved, path);
    expect(await repo.run(['show', `${saved?.sha}^2:loose`], root)).toBe('l');
    await reset();
    expect(await canary()).toBe('');
  });

  const closed: readonly [string, (repo: ScratchRepo, inner: string) => Promise<unknown>][] = [
    ['with a filter', (repo, inner) => repo.run(['config', 'filter.evil.clean', 'cat'], inner)],
    ['with an include', (repo, inner) => repo.run(['config', 'include.path', '/dev/null'], inner)],
    ['with an unknown extension', (repo, inner) => repo.run(['config', 'extensions.refStorage', 'reftable'], inner)],
    [
      'with the objects of another repository',
      (repo, inner) => repo.write('.git/objects/info/alternates', join(repo.path, '.git/objects'), inner),
    ],
    ['with a link in its git directory', (repo, inner) => symlink(repo.dir, join(inner, '.git/refs/linked'))],
    ['with a configuration that is not text', (repo, inner) => repo.write('.git/config', '[core', inner)],
    ['with a common directory', (repo, inner) => repo.write('.git/commondir', join(repo.path, '.git'), inner)],
    [
      'with a git directory outside',
      async (repo, inner) => {
        await rm(join(inner, '.git'), { recursive: true });
        await repo.write('.git', `gitdir: ${join(repo.path, '.git')}\n`, inner);
      },
    ],
    [
      'with a link as its git directory',
      async (repo, inner) => {
        await rm(join(inner, '.git'), { recursive: true });
        await symlink(join(repo.path, '.git'), join(inner, '.git'));
      },
    ],
  ];
  test.for(closed)('%s is named, and nothing is destroyed', async ([, prepare]) => {
    await using repo = await scratchRepo();
    const { path, save } = await begun(repo);
    const inner = await initInside(repo, path, 'inner');
    await repo.write('loose', 'l\n', inner);
    await prepare(repo, inner);
    const saved = await save();
    expect(saved?.missed).toEqual([expect.stringMatching(/^inner: llmc does not run git there: its /)]);
    expect(() => requireWhole(saved, path)).toThrow(expect.objectContaining({ code: 'WORK_NOT_SAVED' }));
  });
});

test('a submodule in which llmc does not run git counts as changed, does not land, and is not reset', async () => {
  await using repo = await scratchRepo();
  await addSubmodule(repo);
  const { base, path, reset } = await begun(repo);
  const lib = await checkOutSubmodule(repo, path);
  await repo.run(['update-index', '--cacheinfo', `160000,${'1'.repeat(40)},lib`], path);
  await repo.run(['commit', '--quiet', '-m', 'Move it'], path);
  await repo.run(['config', 'filter.evil.clean', 'cat'], lib);
  expect((await readStatus(repo.git, path)).changes).toEqual([{ path: 'lib', kind: 'changed' }]);
  expect(await unknownGitlinks(repo.git, path, await changedGitlinks(repo.git, path, base, 'HEAD'))).toMatchObject([
    { path: 'lib', why: 'closed' },
  ]);
  await expect(reset()).rejects.toMatchObject({ code: 'WORK_NOT_SAVED', hint: expect.stringContaining('rm -rf -- ') });
  expect(await repo.read('lib.txt', lib)).toBe('one\n');
  await rm(lib, { recursive: true });
  await reset();
  expect(await readStatus(repo.git, path)).toMatchObject({ head: base, changes: [] });
});
