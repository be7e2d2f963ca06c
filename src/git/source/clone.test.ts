import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import { NO_PUSH } from '../private/settings.ts';
import { write } from '../run.ts';
import { cloneCall, cloneRoot } from './clone.ts';
import { shareLfsObjects, usesLfs } from './lfs.ts';
import { parseSettings, settingsToCopy } from './local-config.ts';
import { inspectSource } from './source.ts';

test('the clone takes no files, no templates and a named branch', () => {
  expect(cloneCall('/a b', 'main', '/root', '--no-hardlinks', [{ key: 'a.b', value: 'c d' }]).args).toEqual([
    'clone',
    '--no-hardlinks',
    '--no-checkout',
    '--quiet',
    '--template=',
    '--no-reject-shallow',
    '--origin=origin',
    '--branch=main',
    '--config=a.b=c d',
    '--',
    '/a b',
    '/root',
  ]);
});

test('only settings that change content or authorship are taken over', () => {
  const text = [
    'core.bare\nfalse',
    'user.name\nA\nB',
    'core.autocrlf\ninput',
    'remote.origin.url\nx',
    'core.hookspath\n.husky',
    'filter.crypt.clean\ngit-crypt clean',
    'flag',
    '',
  ];
  expect(settingsToCopy(parseSettings(text.join('\0')))).toEqual([
    { key: 'user.name', value: 'A\nB' },
    { key: 'core.autocrlf', value: 'input' },
    { key: 'filter.crypt.clean', value: 'git-crypt clean' },
  ]);
});

describe('a root', () => {
  test.each([
    { branch: 'main', bare: false, name: 'source' },
    { branch: 'trunk', bare: true, name: 'bär repo' },
  ])('is cloned without a single file from %o', async (options) => {
    await using repo = await scratchRepo({ ...options, files: { 'config.toml': 'theirs\n', 'logs/x': 'y\n' } });
    const { root, base } = await scratchRoot(repo);
    expect(await readdir(root)).toEqual(['.git', 'run']);
    expect(base).toBe(await repo.run(['rev-parse', options.branch]));
  });

  test.each(['main', 'llmc', 'team/trunk'])('has no branch %s of its own that would grow stale', async (branch) => {
    await using repo = await scratchRepo({ branch });
    const { root, worktree, base } = await scratchRoot(repo);
    await worktree('adam');
    expect(await repo.run(['for-each-ref', '--format=%(refname)'], root)).toBe(
      ['refs/heads/llmc/adam', 'refs/remotes/origin/HEAD', `refs/remotes/origin/${branch}`].join('\n'),
    );
    expect(await repo.run(['rev-parse', 'HEAD'], root)).toBe(base);
  });

  test('remembers conflict resolutions and cannot push', async () => {
    await using repo = await scratchRepo();
    const { root } = await scratchRoot(repo);
    expect(await repo.run(['config', 'rerere.enabled'], root)).toBe('true');
    expect(await repo.run(['config', 'rerere.autoUpdate'], root)).toBe('true');
    expect(await repo.run(['remote', 'get-url', '--push', 'origin'], root)).toBe(NO_PUSH);
    const pushed = await repo.git.run(write(root, 'push', 'origin', 'origin/main:refs/heads/sneaky'));
    expect(pushed.status).not.toBe(0);
    expect(pushed.stderr).toContain('use-llmc-accept');
    expect(await repo.run(['branch', '--list', 'sneaky'])).toBe('');
  });

  test('takes over who commits, line ends and private ignores', async () => {
    await using repo = await scratchRepo();
    await repo.run(['config', 'core.autocrlf', 'input']);
    await mkdir(join(repo.path, '.git', 'info'), { recursive: true });
    await writeFile(join(repo.path, '.git', 'info', 'exclude'), 'secret.env\n');
    const { root, worktree } = await scratchRoot(repo);
    expect(await repo.run(['config', '--local', 'user.email'], root)).toBe('scratch@example.test');
    expect(await repo.run(['config', '--local', 'core.autocrlf'], root)).toBe('input');
    const path = await worktree('adam');
    await repo.write('secret.env', 'x', path);
    expect(await repo.run(['status', '--porcelain'], path)).toBe('');
  });

  test('borrows no object, also from a source that borrows its own', async () => {
    await using repo = await scratchRepo();
    const shared = join(repo.dir, 'shared');
    await repo.run(['clone', '--quiet', '--shared', repo.path, shared], '/');
    const root = join(repo.dir, 'of shared');
    await cloneRoot(repo.git, await inspectSource(repo.git, shared), root);
    expect(existsSync(join(root, '.git/objects/info/alternates'))).toBe(false);
    await repo.run(['cat-file', '-e', 'origin/main^{tree}'], root);
  });

  test('lets workers commit where git knows no one, and leaves a known identity alone', async () => {
    await using repo = await scratchRepo({ identity: false });
    await repo.run(['config', 'user.useConfigOnly', 'true']);
    const { root } = await scratchRoot(repo);
    expect(await repo.run(['config', '--local', 'user.email'], root)).toBe('llmc@localhost');
    await using known = await scratchRepo();
    const other = await scratchRoot(known);
    expect(await known.run(['config', '--local', 'user.email'], other.root)).toBe('scratch@example.test');
  });

  test('is also cloned when hard links are refused', async () => {
    await using repo = await scratchRepo();
    const source = await inspectSource(repo.git, repo.path);
    const refusing = {
      ...repo.git,
      run: async (...[call, options]: Parameters<typeof repo.git.run>) =>
        call.args.includes('--no-hardlinks') && call.args[0] === 'clone'
          ? { status: 128, stdout: '', stderr: 'fatal: failed to create link: Invalid cross-device link' }
          : repo.git.run(call, options),
    };
    await cloneRoot(refusing, source, join(repo.dir, 'root'));
    expect(await readdir(join(repo.dir, 'root'))).toEqual(['.git']);
  });

  test('leaves nothing when the target is taken', async () => {
    await using repo = await scratchRepo();
    await repo.write('keep', 'me', join(repo.dir, 'taken'));
    const source = await inspectSource(repo.git, repo.path);
    await expect(cloneRoot(repo.git, source, join(repo.dir, 'taken'))).rejects.toMatchObject({ code: 'GIT_FAILED' });
    expect(await readdir(join(repo.dir, 'taken'))).toEqual(['keep']);
  });
});

describe('git-lfs', () => {
  test.each([
    ['*.bin filter=lfs diff=lfs merge=lfs -text\n', true],
    ['# *.bin filter=lfs\n', false],
    ['*.bin text\n', false],
    ['*.bin filter=lfsx\n', false],
  ])('%j asks for it: %s', async (attributes, expected) => {
    await using repo = await scratchRepo({ files: { 'deep/er/.gitattributes': attributes } });
    expect(await usesLfs(repo.git, repo.path, 'refs/heads/main')).toBe(expected);
  });

  test('is found at the top and in a bare repository', async () => {
    await using repo = await scratchRepo({ bare: true, files: { '.gitattributes': '*.bin filter=lfs\n' } });
    expect(await usesLfs(repo.git, repo.path, 'refs/heads/main')).toBe(true);
  });

  test('missing on the machine is said before a worktree is full of pointers', async () => {
    await using repo = await scratchRepo({ files: { '.gitattributes': '*.bin filter=lfs\n' } });
    const without = {
      ...repo.git,
      run: async (...[call, options]: Parameters<typeof repo.git.run>) =>
        call.args[0] === 'lfs'
          ? { status: 1, stdout: '', stderr: "git: 'lfs' is not a git command. See 'git --help'.\n" }
          : repo.git.run(call, options),
    };
    const source = await inspectSource(repo.git, repo.path);
    await expect(cloneRoot(without, source, join(repo.dir, 'root'))).rejects.toMatchObject({
      code: 'GIT_NOT_FOUND',
      hint: expect.stringContaining('git-lfs'),
    });
  });

  test('objects are taken over once, and a repository without any is fine', async () => {
    await using repo = await scratchRepo();
    const [from, to] = [join(repo.dir, 'from'), join(repo.dir, 'to')];
    expect(await shareLfsObjects(repo.git, from, to)).toBe(0);
    const name = createHash('sha256').update('content').digest('hex');
    const path = `lfs/objects/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
    await repo.write(path, 'content', from);
    await repo.write(`lfs/objects/aa/bb/${'ab'.repeat(32)}`, 'of another hash', from);
    expect(await shareLfsObjects(repo.git, from, to)).toBe(1);
    expect(await repo.read(path, to)).toBe('content');
    expect(await shareLfsObjects(repo.git, from, to)).toBe(0);
  });
});
