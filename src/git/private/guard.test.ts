import { appendFile, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { openGit, read, write } from '../run.ts';
import { pointOriginAt } from '../source/origin.ts';
import { configText } from './config-text.ts';
import type { Tampering } from './guard.ts';
import { ownRepository, privateFolder } from './place.ts';
import { NO_PUSH } from './settings.ts';

/** A root, and a git of llmc that reports what it puts back. */
async function guarded(repo: ScratchRepo) {
  const { root, worktree } = await scratchRoot(repo);
  const reported: Tampering[] = [];
  const open = () =>
    openGit(repo.processes, { guard: { root, source: async () => repo.path, onTampering: (each) => reported.push(each) } });
  const setting = async (key: string, at = root) =>
    (await openGit(repo.processes).run(read('/', 'config', '--file', join(at, '.git', 'config'), '--get', key))).stdout.trim();
  const own = async (key: string) => (await open().run(read(root, 'config', '--get', key))).stdout.trim();
  return { root, worktree, reported, open, git: open(), setting, own };
}

const touch = (root: string) => read(root, 'rev-parse', '--git-dir');

describe('a change of the store by an agent', () => {
  test.each(['objects', 'objects/ab'])(
    'that puts a link in place of %s stops each write, and nothing is written behind it',
    async (name) => {
      await using repo = await scratchRepo();
      const { root, git } = await guarded(repo);
      const outside = join(repo.dir, 'outside');
      const place = join(root, '.git', name);
      await cp(place, outside, { recursive: true }).catch(() => mkdir(outside));
      const before = await readdir(outside);
      await rm(place, { recursive: true, force: true });
      await symlink(outside, place);
      const store = { ...write(root, 'hash-object', '-w', '--stdin'), stdin: 'a new object' };
      await expect(git.ok(store)).rejects.toMatchObject({ code: 'GIT_FAILED', message: expect.stringContaining(`${place} is a link`) });
      expect(await readdir(outside)).toEqual(before);
      expect(await git.run(touch(root))).toMatchObject({ status: 0 });
    },
  );

  test('that can run a program is removed and reported once, also to the next process', async () => {
    await using repo = await scratchRepo();
    const { root, git, open, reported, setting } = await guarded(repo);
    await repo.run(['config', 'core.fsmonitor', '/tmp/evil'], root);
    await repo.run(['config', 'filter.x.clean', 'evil'], root);
    await Promise.all([git.ok(touch(root)), git.ok(touch(root))]);
    await git.ok(touch(root));
    await open().ok(touch(root));
    expect(reported).toEqual([
      { kind: 'settings', path: join(root, '.git/config'), removed: ['core.fsmonitor', 'filter.x.clean'], restored: [] },
    ]);
    expect(await setting('core.fsmonitor')).toBe('');
  });

  test('of a setting of llmc is put back', async () => {
    await using repo = await scratchRepo();
    const { root, git, reported, setting } = await guarded(repo);
    await repo.run(['config', 'remote.origin.pushurl', '/elsewhere'], root);
    await repo.run(['config', '--unset', 'rerere.enabled'], root);
    await git.ok(touch(root));
    expect(reported).toEqual([
      { kind: 'settings', path: join(root, '.git/config'), removed: ['remote.origin.pushurl'], restored: ['rerere.enabled'] },
    ]);
    expect(await setting('remote.origin.pushurl')).toBe(NO_PUSH);
  });

  test.each([
    ['branch.x.remote', 'origin'],
    ['pull.rebase', 'true'],
    ['core.hooksPath', '.husky/_'],
    ['remote.upstream.url', 'https://example.test/x.git'],
  ])('that is harmless stays and is not used by llmc: %s', async (key, value) => {
    await using repo = await scratchRepo();
    const { root, git, reported, setting, own } = await guarded(repo);
    await repo.run(['config', key, value], root);
    await git.ok(touch(root));
    expect(reported).toEqual([]);
    expect(await setting(key)).toBe(value);
    expect(await own(key)).not.toBe(value);
  });

  test.each([
    ['user.name', 'A Person'],
    ['submodule.lib.url', 'https://example.test/lib.git'],
  ])('that a person or git submodule makes takes effect: %s', async (key, value) => {
    await using repo = await scratchRepo();
    const { root, reported, setting, own } = await guarded(repo);
    await repo.run(['config', key, value], root);
    expect(await own(key)).toBe(value);
    expect(await setting(key)).toBe(value);
    expect(reported).toEqual([]);
  });

  test.each<[string, (config: string) => Promise<void>]>([
    ['garbage', (config) => appendFile(config, '[[[\n')],
    ['nothing', (config) => rm(config)],
    ['a folder', (config) => rm(config).then(() => mkdir(config))],
    ['a link to another file', (config) => rm(config).then(() => symlink('/etc/passwd', config))],
  ])('that leaves %s in place of the configuration is repaired', async (_, damage) => {
    await using repo = await scratchRepo();
    const { root, git, reported, setting } = await guarded(repo);
    await damage(join(root, '.git', 'config'));
    await git.ok(touch(root));
    expect(reported).toMatchObject([{ kind: 'settings' }]);
    expect(await setting('remote.origin.url')).toBe(repo.path);
    expect(await repo.run(['rev-parse', '--is-bare-repository'], root)).toBe('false');
  });
});

describe("llmc's own folder", () => {
  test('is readable by this user alone, and comes back when it is deleted', async () => {
    await using repo = await scratchRepo();
    const { root, git } = await guarded(repo);
    const own = privateFolder(root);
    for (const name of ['config', 'HEAD', 'llmc.json']) expect((await stat(join(own, name))).mode & 0o777, name).toBe(0o600);
    await rm(own, { recursive: true });
    await git.ok(touch(root));
    expect(await readdir(own)).toContain('config');
  });

  test('that was lost takes filters from the source, not from the clone', async () => {
    await using repo = await scratchRepo();
    const { root, open, reported, own, setting } = await guarded(repo);
    await repo.run(['config', 'filter.mine.clean', 'cat']);
    await repo.run(['config', 'filter.evil.clean', 'evil'], root);
    await rm(privateFolder(root), { recursive: true });
    await open().ok(touch(root));
    expect([await own('filter.mine.clean'), await own('filter.evil.clean')]).toEqual(['cat', '']);
    expect([await setting('filter.mine.clean'), await setting('filter.evil.clean')]).toEqual(['cat', '']);
    expect(reported).toEqual([
      { kind: 'settings', path: join(root, '.git/config'), removed: ['filter.evil.clean'], restored: ['filter.mine.clean'] },
    ]);
  });

  test('with a damaged record is made again', async () => {
    await using repo = await scratchRepo();
    const { root, open } = await guarded(repo);
    await writeFile(join(privateFolder(root), 'llmc.json'), '{');
    await open().ok(touch(root));
    expect(JSON.parse(await readFile(join(privateFolder(root), 'llmc.json'), 'utf8'))).toMatchObject({ source: repo.path });
  });

  test('follows a setting of the source and a source that moved', async () => {
    await using repo = await scratchRepo();
    const { root, open, own, setting, reported } = await guarded(repo);
    await repo.run(['config', 'merge.mine.driver', 'true']);
    await pointOriginAt(open(), repo.path);
    expect([await own('merge.mine.driver'), await setting('merge.mine.driver')]).toEqual(['true', 'true']);
    await pointOriginAt(open(), root);
    expect(await setting('remote.origin.url')).toBe(root);
    expect(reported).toEqual([]);
  });
});

test('links and a wrong common folder are removed before a call and reported with the worker', async () => {
  await using repo = await scratchRepo();
  const { root, git, worktree, reported } = await guarded(repo);
  const path = await worktree('adam');
  const admin = join(root, 'sandbox', 'adam', 'git', 'worktrees', 'adam');
  await writeFile(join(admin, 'commondir'), '/elsewhere\n');
  await symlink('/etc/passwd', join(admin, 'MERGE_MSG'));
  await git.ok({ at: path, access: 'write', args: ['status'] });
  expect(reported).toEqual([
    { kind: 'links', worker: 'adam', paths: [join(admin, 'MERGE_MSG')] },
    { kind: 'connection', worker: 'adam', paths: [join(admin, 'commondir')] },
  ]);
});

test('attributes, grafts and a common folder of an agent in the clone are removed and reported once', async () => {
  await using repo = await scratchRepo();
  const { root, git, reported } = await guarded(repo);
  const at = (name: string) => join(root, '.git', name);
  await writeFile(at('info/attributes'), '* -diff\n');
  await writeFile(at('info/grafts'), '');
  await writeFile(at('commondir'), '/elsewhere\n');
  expect(git.guard?.foreignFiles().map(({ path }) => path)).toEqual([at('commondir'), at('info/attributes'), at('info/grafts')]);
  await git.guard?.check();
  await git.guard?.check();
  expect(reported).toEqual([
    { kind: 'foreign-file', path: at('commondir'), effect: 'repository' },
    { kind: 'foreign-file', path: at('info/attributes'), effect: 'attributes' },
    { kind: 'foreign-file', path: at('info/grafts'), effect: 'history' },
  ]);
  expect(git.guard?.foreignFiles()).toEqual([]);
});

test('a link in place of the folder of attributes is removed, and nothing behind it', async () => {
  await using repo = await scratchRepo();
  const { root, git, reported } = await guarded(repo);
  const [info, outside] = [join(root, '.git', 'info'), join(repo.dir, 'outside')];
  await mkdir(outside);
  await writeFile(join(outside, 'attributes'), 'precious\n');
  await rm(info, { recursive: true });
  await symlink(outside, info);
  await git.guard?.check();
  expect(await readFile(join(outside, 'attributes'), 'utf8')).toBe('precious\n');
  expect(reported).toEqual([{ kind: 'foreign-file', path: info, effect: 'attributes' }]);
});

test('a git that only reads puts nothing back', async () => {
  await using repo = await scratchRepo();
  const { root, setting } = await guarded(repo);
  await repo.run(['config', 'core.fsmonitor', '/tmp/evil'], root);
  const git = openGit(repo.processes, { guard: { root, source: async () => repo.path } });
  await git.ok(touch(root));
  expect(await git.guard?.inspect()).toMatchObject([{ path: join(root, '.git/config'), foreign: ['core.fsmonitor'], lost: [] }]);
  expect(await setting('core.fsmonitor')).toBe('/tmp/evil');
});

test('the text of settings is read by git as it was written', async () => {
  await using repo = await scratchRepo();
  const settings = [
    { key: 'a.b', value: ' x ; # "quoted" \\ \n\ttab ' },
    { key: 'a.b', value: '' },
    { key: 'remote.a "b\\c.d.url', value: "ü'$(x)" },
  ];
  const list = await openGit(repo.processes).ok({ ...read('/', 'config', '--file', '-', '--list', '-z'), stdin: configText(settings) });
  expect(list).toBe(settings.map(({ key, value }) => `${key}\n${value}\0`).join(''));
});

describe('the repository of a worker', () => {
  test('is judged as the store is, and only its own worker is named', async () => {
    await using repo = await scratchRepo();
    const { root, git, worktree, reported } = await guarded(repo);
    const [adam, bea] = [await worktree('adam'), await worktree('bea')];
    await repo.run(['config', 'core.fsmonitor', '/tmp/evil'], adam);
    await git.ok(touch(bea));
    expect(reported).toEqual([]);
    await git.ok(touch(adam));
    const path = join(ownRepository(root, 'adam'), 'config');
    expect(reported).toEqual([{ kind: 'settings', path, removed: ['core.fsmonitor'], restored: [] }]);
  });

  test('follows what a person sets in the store, and forgets it again', async () => {
    await using repo = await scratchRepo();
    const { root, git, worktree, reported } = await guarded(repo);
    const adam = await worktree('adam');
    const name = async () => (await openGit(repo.processes).run(read(adam, 'config', '--get', 'user.name'))).stdout.trim();
    await repo.run(['config', 'user.name', 'A Person'], root);
    await git.ok(touch(adam));
    expect(await name()).toBe('A Person');
    await repo.run(['config', '--unset', 'user.name'], root);
    await git.ok(touch(adam));
    expect(await name()).toBe('');
    await repo.run(['config', 'user.name', 'Here alone'], adam);
    await repo.run(['config', 'user.name', 'A Person'], root);
    await git.ok(touch(adam));
    expect(await name()).toBe('Here alone');
    expect(reported).toEqual([]);
  });

  test('borrows the objects of the store, and no others', async () => {
    await using repo = await scratchRepo();
    const { root, git, worktree, reported } = await guarded(repo);
    const adam = await worktree('adam');
    const path = join(ownRepository(root, 'adam'), 'objects/info/alternates');
    for (const text of [`${repo.path}/.git/objects\n`, '']) {
      await writeFile(path, text);
      await git.ok(touch(adam));
      expect(await readFile(path, 'utf8')).toBe(`${root}/.git/objects\n`);
    }
    expect(reported).toMatchObject([{ kind: 'connection', worker: 'adam', paths: [path] }, { kind: 'connection' }]);
  });
});
