import { chmod, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchOptions, type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { write } from '../run.ts';
import { land } from './land.ts';
import { fastForwardCall } from './land-merge.ts';
import { pushCall, refusal } from './land-push.ts';
import type { BranchLanding } from './landed.ts';
import { hashPatch } from './patch.ts';

test('the merge can only fast-forward and never stashes', () => {
  expect(fastForwardCall('/src', 'abc').args).toEqual([
    '-c',
    'merge.autoStash=false',
    '-c',
    'gc.auto=0',
    '-c',
    'maintenance.auto=false',
    'merge',
    '--quiet',
    '--ff-only',
    '--no-overwrite-ignore',
    '--end-of-options',
    'abc',
  ]);
});

test('the push holds a lease on the old value', () => {
  const { args } = pushCall({ source: '/s p', root: '/root', branch: 'main', sha: 'new', onto: 'old', reviewed: null });
  expect(args).toContain('--force-with-lease=refs/heads/main:old');
  expect(args.slice(-3)).toEqual(['--', '/s p', 'new:refs/heads/main']);
});

test('a refusal is told in the words of git and of the hook', () => {
  const stdout = 'To /s\n!\tabc:refs/heads/main\t[remote rejected] (pre-receive hook declined)\nDone\n';
  expect(refusal({ status: 1, stdout, stderr: 'remote: tests are red        \nerror: failed to push\n' })).toBe(
    '[remote rejected] (pre-receive hook declined); tests are red',
  );
});

async function ready(repo: ScratchRepo, files: Record<string, string> = { 'new.txt': 'new\n' }): Promise<BranchLanding & { onto: string }> {
  const { root, source, base, worktree } = await scratchRoot(repo);
  const sha = await repo.commit('Work', files, await worktree('adam'));
  const reviewed = await hashPatch(repo.git, root, base, sha);
  return { source: source.path, root, branch: source.branch, sha, onto: base, reviewed };
}

async function hook(repo: ScratchRepo, gitDir: string, name: string, text: string): Promise<void> {
  await repo.write(`hooks/${name}`, `#!/bin/sh\n${text}\n`, gitDir);
  await chmod(join(gitDir, 'hooks', name), 0o755);
}

const tip = (repo: ScratchRepo, branch = 'main') => repo.run(['rev-parse', branch]);

describe('main checked out in the source', () => {
  test.each<ScratchOptions>([{ branch: 'main' }, { branch: 'master' }, { branch: 'trunk', name: 'leer zeichen ü 日' }])(
    '%o: moves with its files',
    async (options) => {
      await using repo = await scratchRepo(options);
      const landing = await ready(repo);
      expect(await land(repo.git, landing)).toEqual({ kind: 'landed', how: 'merge', where: repo.path });
      expect(await tip(repo, landing.branch)).toBe(landing.sha);
      expect(await repo.read('new.txt')).toBe('new\n');
      expect(await repo.run(['status', '--porcelain'])).toBe('');
      expect(await land(repo.git, landing)).toEqual({ kind: 'already-landed' });
    },
  );

  test('unrelated edits, staged and untracked files survive', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n', b: '1\n' } });
    const landing = await ready(repo, { b: '2\n' });
    await repo.write('a', 'edited\n');
    await repo.write('staged', 's\n');
    await repo.run(['add', 'staged']);
    await repo.write('untracked', 'u\n');
    expect(await land(repo.git, landing)).toMatchObject({ kind: 'landed' });
    expect(await repo.run(['status', '--porcelain'])).toBe('M a\nA  staged\n?? untracked');
    expect(await repo.read('b')).toBe('2\n');
    expect(await repo.run(['stash', 'list'])).toBe('');
  });

  test.each(['edited', 'untracked'])('%s files in the way are named and kept', async (kind) => {
    await using repo = await scratchRepo({ files: { 'ä b': '1\n' } });
    const file = kind === 'edited' ? 'ä b' : 'neu ü';
    const landing = await ready(repo, { [file]: 'theirs\n' });
    await repo.run(['config', 'merge.autoStash', 'true']);
    await repo.write(file, 'mine\n');
    const [reason, todo] =
      kind === 'edited'
        ? [`uncommitted changes in ${repo.path} are in the way`, `Commit or move your own changes in ${repo.path}`]
        : [`${repo.path} already has files that git does not track where the commit adds some: ${file}`, 'Move or delete those files'];
    expect(await land(repo.git, landing)).toEqual({ kind: 'refused', files: [file], reason, todo, where: repo.path });
    expect(await repo.read(file)).toBe('mine\n');
    expect(await tip(repo)).toBe(landing.onto);
  });

  test('edited and untracked files in the way are both named, and the untracked ones told apart', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const landing = await ready(repo, { a: 'theirs\n', b: 'theirs\n' });
    for (const file of ['a', 'b']) await repo.write(file, 'mine\n');
    expect(await land(repo.git, landing)).toEqual({
      kind: 'refused',
      where: repo.path,
      files: ['a', 'b'],
      reason: `${repo.path} already has files that git does not track where the commit adds some: b`,
      todo: 'Move or delete those files, and commit or move your other changes there',
    });
  });

  test('an ignored file of the user is not replaced by a file of the commit', async () => {
    await using repo = await scratchRepo();
    await repo.commit('Ignore', { '.gitignore': '.env\n' });
    await repo.write('.env', 'mine\n');
    const { root, source, base, worktree } = await scratchRoot(repo);
    const path = await worktree('adam');
    await repo.write('.env', 'evil\n', path);
    await repo.run(['add', '--force', '.env'], path);
    await repo.run(['commit', '--quiet', '--message', 'Work'], path);
    const sha = await repo.run(['rev-parse', 'HEAD'], path);
    const landed = await land(repo.git, { source: source.path, root, branch: 'main', sha, onto: base, reviewed: null });
    expect(landed).toEqual({
      kind: 'refused',
      where: repo.path,
      files: ['.env'],
      reason: `${repo.path} already has files that git does not track where the commit adds some: .env`,
      todo: 'Move or delete those files',
    });
    expect(await repo.read('.env')).toBe('mine\n');
  });

  test('a main that moved is reported with its new tip', async () => {
    await using repo = await scratchRepo();
    const landing = await ready(repo);
    const now = await repo.commit('Meanwhile', { x: 'x\n' });
    expect(await land(repo.git, landing)).toEqual({ kind: 'moved', now });
    expect(await tip(repo)).toBe(now);
  });

  test('a commit that main has gone on from has landed', async () => {
    await using repo = await scratchRepo();
    const landing = await ready(repo);
    await land(repo.git, landing);
    await repo.commit('Later', { x: 'x\n' });
    expect(await land(repo.git, landing)).toEqual({ kind: 'already-landed' });
  });

  test.each(['merge', 'cherry-pick'])('a %s in progress is left to the user', async (operation) => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    await repo.run(['checkout', '--quiet', '-b', 'side']);
    await repo.commit('Side', { a: 'side\n' });
    await repo.run(['checkout', '--quiet', 'main']);
    await repo.commit('Main', { a: 'main\n' });
    const landing = await ready(repo);
    await repo.git.run(write(repo.path, operation, 'side'));
    const before = await repo.run(['status', '--porcelain']);
    expect(await land(repo.git, landing)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(`a ${operation} is in progress`),
    });
    expect(await repo.run(['status', '--porcelain'])).toBe(before);
  });

  test('a rebase of main in progress is left to the user, though main looks free', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    await repo.run(['checkout', '--quiet', '-b', 'side']);
    await repo.commit('Side', { a: 'side\n' });
    await repo.run(['checkout', '--quiet', 'main']);
    await repo.commit('Main', { a: 'main\n' });
    const landing = await ready(repo);
    await repo.git.run(write(repo.path, 'rebase', 'side'));
    expect(await land(repo.git, landing)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('a rebase is in progress') });
    expect(await tip(repo)).toBe(landing.onto);
  });

  test('a hook that guards refs is heard', async () => {
    await using repo = await scratchRepo();
    const landing = await ready(repo);
    await hook(
      repo,
      join(repo.path, '.git'),
      'reference-transaction',
      'test "$1" = prepared || exit 0; grep -q refs/heads/main || exit 0; echo frozen >&2; exit 1',
    );
    expect(await land(repo.git, landing)).toMatchObject({ kind: 'refused' });
    expect(await tip(repo)).toBe(landing.onto);
  });

  test('nothing but the commit reaches the source', async () => {
    await using repo = await scratchRepo();
    const landing = await ready(repo);
    const refs = await repo.run(['for-each-ref', '--format=%(refname)']);
    await land(repo.git, landing);
    expect(await repo.run(['for-each-ref', '--format=%(refname)'])).toBe(refs);
    expect((await repo.git.run(write(repo.path, 'rev-parse', '--verify', '--quiet', 'FETCH_HEAD'))).status).toBe(1);
  });
});

describe('main checked out in a linked worktree of the source', () => {
  test.each([true, false])('moves there (bare source: %s)', async (bare) => {
    await using repo = await scratchRepo({ bare });
    const linked = join(repo.dir, 'linked ü');
    if (!bare) await repo.run(['checkout', '--quiet', '-b', 'side']);
    await repo.run(['worktree', 'add', '--quiet', linked, 'main']);
    const landing = await ready(repo);
    expect(await land(repo.git, landing)).toEqual({ kind: 'landed', how: 'merge', where: linked });
    expect(await repo.read('new.txt', linked)).toBe('new\n');
    expect(await repo.run(['status', '--porcelain'], linked)).toBe('');
  });

  test('whose directory is gone is refused with the way out', async () => {
    await using repo = await scratchRepo();
    const linked = join(repo.dir, 'linked');
    await repo.run(['checkout', '--quiet', '-b', 'side']);
    await repo.run(['worktree', 'add', '--quiet', linked, 'main']);
    const landing = await ready(repo);
    await rm(linked, { recursive: true });
    expect(await land(repo.git, landing)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('git worktree prune') });
    await repo.run(['worktree', 'prune']);
    expect(await land(repo.git, landing)).toMatchObject({ kind: 'landed', how: 'push' });
  });
});

describe('main checked out nowhere', () => {
  test('another branch is checked out: its files stay as they are', async () => {
    await using repo = await scratchRepo();
    await repo.run(['checkout', '--quiet', '-b', 'side']);
    const side = await repo.commit('Side', { side: 's\n' });
    await repo.write('side', 'edited\n');
    const landing = await ready(repo);
    expect(landing.branch).toBe('main');
    expect(await land(repo.git, landing)).toEqual({ kind: 'landed', how: 'push', where: repo.path });
    expect(await tip(repo)).toBe(landing.sha);
    expect(await repo.run(['rev-parse', 'HEAD'])).toBe(side);
    expect(await repo.read('side')).toBe('edited\n');
    expect(await land(repo.git, landing)).toEqual({ kind: 'already-landed' });
  });

  test('HEAD of the source is detached', async () => {
    await using repo = await scratchRepo();
    await repo.run(['checkout', '--quiet', '--detach']);
    expect(await land(repo.git, await ready(repo))).toMatchObject({ kind: 'landed', how: 'push' });
  });

  test('a bare source moves, and a main that moved is told', async () => {
    await using repo = await scratchRepo({ bare: true, branch: 'trunk' });
    const landing = await ready(repo);
    const { root } = landing;
    const tree = await repo.run(['rev-parse', 'trunk^{tree}']);

    const other = await repo.run(['commit-tree', tree, '-p', 'trunk', '-m', 'Other']);
    await repo.run(['update-ref', 'refs/heads/trunk', other]);
    expect(await land(repo.git, landing)).toEqual({ kind: 'moved', now: other });
    await repo.run(['update-ref', 'refs/heads/trunk', landing.onto]);
    expect(await land(repo.git, { ...landing, root })).toEqual({ kind: 'landed', how: 'push', where: repo.path });
    expect(await tip(repo, 'trunk')).toBe(landing.sha);
  });

  test.each(['update', 'pre-receive'])('a %s hook that says no is quoted', async (name) => {
    await using repo = await scratchRepo({ bare: true });
    const landing = await ready(repo);
    await hook(repo, repo.path, name, 'echo "freeze until Monday" >&2; exit 1');
    expect(await land(repo.git, landing)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('freeze until Monday') });
    expect(await tip(repo)).toBe(landing.onto);
  });

  test('a main that moves during the push is moved, not refused', async () => {
    await using repo = await scratchRepo({ bare: true });
    const landing = await ready(repo);
    const tree = await repo.run(['rev-parse', 'main^{tree}']);

    const other = await repo.run(['commit-tree', tree, '-p', 'main', '-m', 'Other']);
    const racing: typeof repo.git = {
      ...repo.git,
      run: async (call, options) => {
        if (call.args[0] === 'push') await repo.run(['update-ref', 'refs/heads/main', other]);
        return repo.git.run(call, options);
      },
    };
    expect(await land(racing, landing)).toEqual({ kind: 'moved', now: other });
    expect(await tip(repo)).toBe(other);
  });

  test('a commit that does not build on main is refused', async () => {
    await using repo = await scratchRepo({ bare: true });
    const landing = await ready(repo);
    const island = await repo.run(
      ['commit-tree', '-m', 'Island', await repo.run(['rev-parse', `${landing.sha}^{tree}`], landing.root)],
      landing.root,
    );
    expect(await land(repo.git, { ...landing, sha: island })).toMatchObject({ kind: 'refused' });
    expect(await tip(repo)).toBe(landing.onto);
  });
});

test('a main branch that is gone is BRANCH_NOT_FOUND with what to do', async () => {
  await using repo = await scratchRepo();
  const landing = await ready(repo);
  await repo.run(['branch', '-m', 'main', 'renamed']);
  await expect(land(repo.git, landing)).rejects.toMatchObject({
    code: 'BRANCH_NOT_FOUND',
    hint: `Restore it, or set [repo] branch in ${landing.root}/config.toml`,
  });
});

test('a source that is gone is SOURCE_MISSING', async () => {
  await using repo = await scratchRepo();
  const landing = await ready(repo);
  await rename(repo.path, join(repo.dir, 'moved'));
  await expect(land(repo.git, landing)).rejects.toMatchObject({ code: 'SOURCE_MISSING' });
});
