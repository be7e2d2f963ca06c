import { chmod, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ScratchOptions, type ScratchRepo, scratchRepo, scratchRoot } from '../../../test/support/scratch-repo.ts';
import type { Git, GitCall } from '../run.ts';
import { land } from './land.ts';
import { takeBack } from './take-back.ts';
import { moveFilesCall, moveMainCall } from './take-back-checkout.ts';
import type { TakingBack } from './taken-back.ts';

test('main moves back by compare-and-swap, and the files by a merge of two trees', () => {
  expect(moveMainCall('/src', 'main', 'before', 'landed').args).toEqual([
    'update-ref',
    '-m',
    'llmc: undo',
    'refs/heads/main',
    'before',
    'landed',
  ]);
  expect(moveFilesCall('/src', 'landed', 'before').args).toEqual([
    'read-tree',
    '-m',
    '-u',
    '--no-recurse-submodules',
    '--end-of-options',
    'landed',
    'before',
  ]);
});

type Files = Readonly<Record<string, string | null>>;

/** Lands a change of a worker, as an accept does. Null deletes a file. */
async function landed(repo: ScratchRepo, files: Files = { 'new.txt': 'new\n' }): Promise<TakingBack> {
  const { root, source, base: onto, worktree } = await scratchRoot(repo);
  const at = await worktree('adam');
  for (const [path, text] of Object.entries(files)) {
    if (text === null) await repo.run(['rm', '--quiet', '--', path], at);
    else await repo.write(path, text, at);
  }
  await repo.run(['add', '--all', '--force'], at);
  const sha = await repo.commit('Work', {}, at);
  const landing = { source: source.path, root, branch: source.branch, sha, onto, reviewed: null };
  expect(await land(repo.git, landing)).toMatchObject({ kind: 'landed' });
  return { source: source.path, root, branch: source.branch, landed: sha, onto };
}

const tip = (repo: ScratchRepo, branch = 'main') => repo.run(['rev-parse', branch]);
const status = (repo: ScratchRepo, at?: string) => repo.run(['status', '--porcelain'], at);

/** The same git, with a step of the user in front of one call. */
function interrupted(git: Git, isPlace: (call: GitCall) => boolean, step: () => Promise<unknown>): Git {
  return {
    ...git,
    async run(call, options) {
      if (isPlace(call)) await step();
      return git.run(call, options);
    },
  };
}

describe('main checked out in the source', () => {
  test.each<ScratchOptions>([{ branch: 'main' }, { branch: 'trunk', name: 'leer zeichen ü 日' }])(
    '%o: moves back with its files, once',
    async (options) => {
      await using repo = await scratchRepo(options);
      const taking = await landed(repo, { 'new.txt': 'new\n', 'README.md': null });
      expect(await takeBack(repo.git, taking)).toEqual({ kind: 'taken-back' });
      expect(await tip(repo, taking.branch)).toBe(taking.onto);
      expect(await repo.read('README.md')).toBe('hello\n');
      await expect(repo.read('new.txt')).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await status(repo)).toBe('');
      expect(await takeBack(repo.git, taking)).toEqual({ kind: 'already-back' });
      expect(await status(repo)).toBe('');
    },
  );

  test('edits, staged and untracked files of the user stay as they are', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n', b: '1\n', c: '1\n' } });
    const taking = await landed(repo, { b: '2\n' });
    await repo.write('a', 'edited\n');
    await repo.write('c', 'staged\n');
    await repo.write('added', 's\n');
    await repo.run(['add', 'c', 'added']);
    await repo.write('untracked', 'u\n');
    expect(await takeBack(repo.git, taking)).toEqual({ kind: 'taken-back' });
    expect(await status(repo)).toBe('M a\nA  added\nM  c\n?? untracked');
    expect(await Promise.all(['a', 'b', 'c', 'added', 'untracked'].map((file) => repo.read(file)))).toEqual([
      'edited\n',
      '1\n',
      'staged\n',
      's\n',
      'u\n',
    ]);
    expect(await repo.run(['stash', 'list'])).toBe('');
  });

  test.each(['edited', 'staged'])('a file of the change that is %s is named, and nothing moves', async (how) => {
    await using repo = await scratchRepo({ files: { 'ä b': '1\n', other: '1\n' } });
    const taking = await landed(repo, { 'ä b': '2\n' });
    await repo.write('ä b', 'mine\n');
    await repo.write('other', 'mine too\n');
    if (how === 'staged') await repo.run(['add', 'ä b']);
    const before = await status(repo);
    expect(await takeBack(repo.git, taking)).toEqual({
      kind: 'refused',
      where: repo.path,
      reason: `uncommitted changes in ${repo.path} are in the way`,
      files: ['ä b'],
      todo: `Commit or move your own changes in ${repo.path}`,
    });
    expect([await tip(repo), await repo.read('ä b'), await status(repo)]).toEqual([taking.landed, 'mine\n', before]);
  });

  test('a file that was only touched is not in the way', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const taking = await landed(repo, { a: '2\n' });
    await utimes(join(repo.path, 'a'), 1_000, 1_000);
    expect(await takeBack(repo.git, taking)).toEqual({ kind: 'taken-back' });
    expect(await repo.read('a')).toBe('1\n');
  });

  test.each([
    ['an ignored file', '.env', '.env'],
    ['an untracked file', 'notes', 'notes'],
    ['an ignored file in place of a folder', 'deep/.env', 'deep'],
  ])('%s of the user is not replaced by one that comes back', async (_, path, place) => {
    await using repo = await scratchRepo();
    await repo.commit('Begin', { '.gitignore': '.env\n/deep\n', plain: '\n' });
    await repo.write(path, 'old\n');
    await repo.run(['add', '--force', path]);
    await repo.commit('Track it', {});
    const taking = await landed(repo, { [path]: null });
    await rm(join(repo.path, place), { recursive: true, force: true });
    await repo.write(place, 'mine\n');
    expect(await takeBack(repo.git, taking)).toEqual({
      kind: 'refused',
      where: repo.path,
      files: [place],
      reason: `${repo.path} already has files that git does not track at paths that would come back: ${place}`,
      todo: 'Move or delete those files',
    });
    expect([await repo.read(place), await tip(repo)]).toEqual(['mine\n', taking.landed]);
  });

  test('a main that went on is reported with its tip, and stays', async () => {
    await using repo = await scratchRepo();
    const taking = await landed(repo);
    const now = await repo.commit('Later', { x: 'x\n' });
    expect(await takeBack(repo.git, taking)).toEqual({ kind: 'moved', now });
    expect(await tip(repo)).toBe(now);
  });

  test('a commit that the user makes in the last moment is not lost', async () => {
    await using repo = await scratchRepo();
    const taking = await landed(repo);
    const git = interrupted(
      repo.git,
      ({ args }) => args.includes('update-ref'),
      () => repo.commit('Last moment', { x: 'x\n' }),
    );
    expect(await takeBack(git, taking)).toEqual({ kind: 'moved', now: await tip(repo) });
    expect(await repo.run(['log', '--format=%s'])).toBe('Last moment\nWork\nBegin');
    expect(await status(repo)).toBe('');
  });

  test('an edit in the last moment brings the branch forward again', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const taking = await landed(repo, { a: '2\n' });
    const git = interrupted(
      repo.git,
      ({ args }) => args.includes('read-tree') && !args.includes('--dry-run'),
      () => repo.write('a', 'mine\n'),
    );
    expect(await takeBack(git, taking)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('git read-tree') });
    expect([await tip(repo), await repo.read('a'), await status(repo)]).toEqual([taking.landed, 'mine\n', 'M a']);
  });

  test('after a crash between branch and files, the files follow', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const taking = await landed(repo, { a: '2\n', b: 'b\n' });
    await repo.git.ok(moveMainCall(repo.path, 'main', taking.onto, taking.landed));
    expect(await takeBack(repo.git, taking)).toEqual({ kind: 'already-back' });
    expect([await repo.read('a'), await status(repo)]).toEqual(['1\n', '']);
  });

  test('a commit that a remote of the source has is not taken back', async () => {
    await using repo = await scratchRepo();
    const remote = join(repo.dir, 'upstream.git');
    await repo.run(['init', '--quiet', '--bare', remote], '/');
    await repo.run(['remote', 'add', 'upstream', remote]);
    await repo.run(['push', '--quiet', 'upstream', 'main']);
    const taking = await landed(repo);
    await repo.run(['push', '--quiet', 'upstream', 'main']);
    expect(await takeBack(repo.git, taking)).toEqual({ kind: 'published', ref: 'upstream/main' });
    expect(await tip(repo)).toBe(taking.landed);
  });

  test('a merge in progress is left to the user', async () => {
    await using repo = await scratchRepo({ files: { a: '1\n' } });
    const taking = await landed(repo);
    await repo.run(['checkout', '--quiet', '-b', 'side', taking.onto]);
    await repo.commit('Side', { x: 'x\n' });
    await repo.run(['checkout', '--quiet', 'main']);
    await repo.run(['merge', '--quiet', '--no-ff', '--no-commit', 'side']);
    expect(await takeBack(repo.git, taking)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('a merge is in progress') });
    expect(await tip(repo)).toBe(taking.landed);
  });

  test('what a forged row says was before is not believed', async () => {
    await using repo = await scratchRepo();
    await repo.commit('Second', { x: 'x\n' });
    const taking = await landed(repo);
    const onto = await repo.run(['rev-parse', `${taking.onto}~1`]);
    expect(await takeBack(repo.git, { ...taking, onto })).toMatchObject({ kind: 'refused' });
    expect(await tip(repo)).toBe(taking.landed);
  });
});

describe('main not checked out', () => {
  test.each(['bare', 'elsewhere'])('%s: a push moves it back, once', async (kind) => {
    await using repo = await scratchRepo({ bare: kind === 'bare' });
    if (kind === 'elsewhere') await repo.run(['checkout', '--quiet', '-b', 'mine']);
    const taking = await landed(repo);
    expect(await takeBack(repo.git, taking)).toEqual({ kind: 'taken-back' });
    expect(await tip(repo)).toBe(taking.onto);
    expect(await takeBack(repo.git, taking)).toEqual({ kind: 'already-back' });
  });

  test('a linked worktree that has it moves with its files', async () => {
    await using repo = await scratchRepo();
    await repo.run(['checkout', '--quiet', '-b', 'mine']);
    const linked = join(repo.dir, 'linked');
    await repo.run(['worktree', 'add', '--quiet', linked, 'main']);
    const taking = await landed(repo);
    expect((await stat(join(linked, 'new.txt'))).isFile()).toBe(true);
    expect(await takeBack(repo.git, taking)).toEqual({ kind: 'taken-back' });
    expect([await tip(repo), await status(repo, linked)]).toEqual([taking.onto, '']);
  });

  test.each(['setting', 'hook'])('a source whose %s refuses it keeps it', async (how) => {
    await using repo = await scratchRepo({ bare: true });
    const taking = await landed(repo);
    if (how === 'setting') await repo.run(['config', 'receive.denyNonFastForwards', 'true']);
    else {
      await repo.write('hooks/pre-receive', '#!/bin/sh\necho no rewriting here\nexit 1\n');
      await chmod(join(repo.path, 'hooks/pre-receive'), 0o755);
    }
    expect(await takeBack(repo.git, taking)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(how === 'setting' ? /non-fast-forward/ : /no rewriting here/),
    });
    expect(await tip(repo)).toBe(taking.landed);
  });

  test('a main that moves in the last moment keeps what it got', async () => {
    await using repo = await scratchRepo();
    await repo.run(['checkout', '--quiet', '-b', 'mine']);
    const taking = await landed(repo);
    const git = interrupted(
      repo.git,
      ({ args }) => args.includes('push'),
      async () => repo.run(['update-ref', 'refs/heads/main', await repo.commit('Other', { y: 'y\n' })]),
    );
    expect(await takeBack(git, taking)).toMatchObject({ kind: 'moved' });
    expect(await repo.run(['log', '-1', '--format=%s', 'main'])).toBe('Other');
  });
});
