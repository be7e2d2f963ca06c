import { chmod, mkdir, rm, symlink } from 'node:fs/promises';
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
import { diffText } from '../diff.ts';
import { headOf, readStatus } from '../inspect.ts';
import { unknownGitlinks } from '../landing/unknown-gitlinks.ts';
import { rebaseOnto } from '../rebase/rebase.ts';
import { findRescue, type Rescued, requireWhole, rescue } from '../rescue/rescue.ts';
import { restoreInto } from '../rescue/rescue-restore.ts';
import { write } from '../run.ts';
import { resetInPlace } from './reset.ts';
import { removeWorktree } from './worktree.ts';

const NOW = Date.UTC(2026, 0, 31, 23, 59, 59);

async function begun(repo: ScratchRepo) {
  const { root, base, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  const request = { root, worktree: path, worker: 'adam', base: 'refs/remotes/origin/main', reason: 'before a test', now: NOW };
  const save = (): Promise<Rescued | undefined> => rescue(repo.git, request);
  const reset = () => resetInPlace(repo.git, path, base, 'llmc/adam');
  return { root, base, path, request, save, reset, worktree };
}

/** Prepares a repository so that any git that reads its configuration leaves a word in a file. Returns a function that reads it. */
async function arm(repo: ScratchRepo, at: string): Promise<() => Promise<string>> {
  const canary = join(repo.dir, 'canary');
  const hooks = join(repo.dir, 'hooks');
  for (const name of ['post-checkout', 'post-index-change', 'reference-transaction', 'post-rewrite', 'pre-auto-gc']) {
    await repo.write(name, `#!/bin/sh\necho hook-${name} >>'${canary}'\n`, hooks);
    await chmod(join(hooks, name), 0o755);
  }
  const run = (word: string) => `sh -c "echo ${word} >>'${canary}'; cat"`;
  const settings = {
    'core.fsmonitor': `echo fsmonitor >>'${canary}'; false`,
    'core.hooksPath': hooks,
    'core.sshCommand': run('ssh'),
    'core.pager': run('pager'),
    'diff.external': run('external'),
    'diff.evil.textconv': run('textconv'),
    'remote.origin.uploadpack': run('uploadpack'),
    'uploadpack.packObjectsHook': run('packObjectsHook'),
    'gpg.program': run('gpg'),
    'commit.gpgSign': 'true',
    'submodule.recurse': 'true',
  };
  await repo.write('.git-attributes', '* diff=evil\n', repo.dir);
  await repo.run(['config', 'core.attributesFile', join(repo.dir, '.git-attributes')], at);
  for (const [key, value] of Object.entries(settings)) await repo.run(['config', key, value], at);
  await rm(canary, { force: true });
  return () => repo.read('canary', repo.dir).catch(() => '');
}

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
    expect(await diffText(repo.git, root, base, await headOf(repo.git, path))).toContain('+Subproject commit');
    expect(await canary()).toBe('');
    expect(await unknownGitlinks(repo.git, path, base, 'HEAD')).toMatchObject([{ path: 'lib', why: 'not-on-remote' }]);
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

describe('a link', () => {
  async function linked(repo: ScratchRepo, nested: string) {
    const remote = await addSubmodule(repo);
    if (nested !== 'lib') {
      await mkdir(join(repo.path, 'deep'));
      await repo.run(['mv', 'lib', nested]);
      await repo.commit('Move it', {});
    }
    const all = await begun(repo);
    const outside = join(repo.dir, 'outside');
    await repo.write('file', 'precious\n', outside);
    await repo.write('lib/file', 'precious\n', outside);
    const untouched = async () => {
      for (const file of ['file', 'lib/file']) expect(await repo.read(file, outside)).toBe('precious\n');
    };
    return { ...all, remote, outside, untouched };
  }

  test.for(['a folder', 'a repository', 'nothing'])(
    'to %s in place of a submodule is saved as a link, and reset and nuke remove only it',
    async (what) => {
      await using repo = await scratchRepo();
      const { root, path, save, reset, outside, untouched } = await linked(repo, 'lib');
      if (what === 'a repository') await repo.run(['init', '--quiet', outside], '/');
      const target = what === 'nothing' ? join(repo.dir, 'none') : outside;
      const put = async () => {
        await rm(join(path, 'lib'), { recursive: true, force: true });
        await symlink(target, join(path, 'lib'));
      };
      await put();
      const saved = await save();
      requireWhole(saved, path);
      expect(await repo.run(['ls-tree', '-r', '--name-only', `${saved?.sha}`], root)).toBe('.gitmodules\nREADME.md\nlib');
      expect(await repo.run(['show', `${saved?.sha}:lib`], root)).toBe(target);
      await reset();
      await untouched();
      expect(await readStatus(repo.git, path)).toMatchObject({ changes: [] });
      await put();
      await removeWorktree(repo.git, root, 'adam', path);
      await untouched();
      expect(await repo.git.files.exists(path)).toBe(false);
    },
  );

  test('as a parent of a submodule leads neither a rescue nor a reset outside', async () => {
    await using repo = await scratchRepo();
    const { root, path, save, reset, outside, untouched } = await linked(repo, 'deep/lib');
    await rm(join(path, 'deep'), { recursive: true });
    await symlink(outside, join(path, 'deep'));
    const saved = await save();
    requireWhole(saved, path);
    expect(await repo.run(['ls-tree', '-r', '--name-only', `${saved?.sha}`], root)).toBe('.gitmodules\nREADME.md\ndeep');
    expect(await repo.run(['rev-list', '--count', `${saved?.sha}^@`, '--not', 'origin/main'], root)).toBe('0');
    await reset();
    await untouched();
    expect(await readStatus(repo.git, path)).toMatchObject({ changes: [] });
  });

  test('in place of the worktree itself is refused: nothing is deleted behind it', async () => {
    await using repo = await scratchRepo();
    const { root, path, save, outside, untouched } = await linked(repo, 'lib');
    await repo.git.processes.run({ file: 'mv', args: [path, join(repo.dir, 'aside')], cwd: '/' });
    // With its `.git` file, the folder behind the link looks like the worktree to git.
    await repo.write('.git', await repo.read('.git', join(repo.dir, 'aside')), outside);
    await symlink(outside, path);
    const refused = { code: 'GIT_WORKTREE_FAILED', hint: expect.stringContaining('rm -- ') };
    await expect(save()).rejects.toMatchObject(refused);
    await expect(removeWorktree(repo.git, root, 'adam', path)).rejects.toMatchObject(refused);
    await untouched();
    await rm(path);
    await removeWorktree(repo.git, root, 'adam', path);
    await untouched();
  });
});
