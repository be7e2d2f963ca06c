import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchOptions, type ScratchRepo, scratchRepo, scratchRoot, signCommits } from '../../../test/support/scratch-repo.ts';
import type { Git } from '../run.ts';
import { land } from './land.ts';
import { type Reverting, revertCommit } from './revert.ts';
import { readSigning } from './signing.ts';

const DATE = '1700000000 +0000';

/** Lands a change of a worker, as an accept does. */
async function landed(repo: ScratchRepo, files: Readonly<Record<string, string>>): Promise<Reverting> {
  const { root, source, base: onto, worktree } = await scratchRoot(repo);
  const sha = await repo.commit('Work "quoted"', files, await worktree('adam'));
  await land(repo.git, { source: source.path, root, branch: 'main', sha, onto, reviewed: null });
  return { source: source.path, root, landed: sha, main: sha, signing: undefined, date: DATE };
}

const later = async (repo: ScratchRepo, reverting: Reverting, files: Readonly<Record<string, string>>): Promise<Reverting> => ({
  ...reverting,
  main: await repo.commit('Later', files),
});

test.each<ScratchOptions>([{}, { bare: true }])(
  '%o: the commit has the files from before, and both repositories have it',
  async (options) => {
    await using repo = await scratchRepo({ ...options, files: { 'ä b': '1\n', c: 'c\n' } });
    const reverting = await landed(repo, { 'ä b': '2\n', 'new dir/new': 'n\n' });
    const reverted = await revertCommit(repo.git, reverting);
    const sha = reverted.kind === 'reverted' ? reverted.sha : '';
    for (const at of [reverting.source, reverting.root]) {
      expect(await repo.run(['log', '-1', '--format=%P %ct %B', sha], at)).toBe(
        `${reverting.main} 1700000000 Revert "Work "quoted""\n\nThis reverts commit ${reverting.landed}.`,
      );
      expect(await repo.run(['diff', '--stat', `${reverting.landed}~1`, sha], at)).toBe('');
    }
    // No ref moved.
    expect(await repo.run(['rev-parse', 'main'])).toBe(reverting.main);
  },
);

test('what later commits changed elsewhere stays, as with git revert', async () => {
  await using repo = await scratchRepo({ files: { a: '1\n2\n3\n4\n5\n6\n7\n8\n', b: 'b\n' } });
  const first = await landed(repo, { a: 'one\n2\n3\n4\n5\n6\n7\n8\n' });
  const reverting = await later(repo, first, { a: 'one\n2\n3\n4\n5\n6\n7\neight\n', b: 'changed\n' });
  const reverted = await revertCommit(repo.git, reverting);
  await repo.run(['revert', '--no-edit', reverting.landed]);
  expect(reverted).toMatchObject({ kind: 'reverted' });
  const sha = reverted.kind === 'reverted' ? reverted.sha : '';
  expect(await repo.run(['rev-parse', `${sha}^{tree}`])).toBe(await repo.run(['rev-parse', 'HEAD^{tree}']));
});

test('a conflict names its files, and a change that is gone is nothing', async () => {
  await using repo = await scratchRepo({ files: { a: '1\n', b: '1\n' } });
  const first = await landed(repo, { a: '2\n', b: '2\n' });
  expect(await revertCommit(repo.git, await later(repo, first, { a: '3\n' }))).toEqual({ kind: 'conflict', files: ['a'] });
  expect(await revertCommit(repo.git, await later(repo, first, { a: '1\n', b: '1\n' }))).toEqual({ kind: 'nothing' });
});

test('a commit that git does not find is an error of git, not a conflict without files', async () => {
  await using repo = await scratchRepo();
  const reverting = await landed(repo, { a: 'a\n' });
  const absent = '1'.repeat(40);
  // As if the commit had been deleted after its tree was read.
  const late = (args: readonly string[]) =>
    args.includes('merge-tree') ? args.map((arg) => (arg === reverting.main ? absent : arg)) : args;
  const git: Git = { ...repo.git, run: (call, options) => repo.git.run({ ...call, args: late(call.args) }, options) };
  await expect(revertCommit(git, reverting)).rejects.toMatchObject({ code: 'GIT_FAILED', message: expect.stringContaining(absent) });
});

test('it is signed where the user signs commits', async () => {
  await using repo = await scratchRepo();
  const reverting = await landed(repo, { a: 'a\n' });
  await signCommits(repo);
  const reverted = await revertCommit(repo.git, { ...reverting, signing: await readSigning(repo.git, repo.path) });
  expect(await repo.run(['log', '-1', '--format=%G?', reverted.kind === 'reverted' ? reverted.sha : ''])).toBe('G');
});

test('objects that an agent forged in the root change nothing', async () => {
  await using repo = await scratchRepo({ files: { a: '1\n' } });
  const reverting = await landed(repo, { a: '2\n' });
  const { root } = reverting;
  const before = await repo.run(['rev-parse', `${reverting.landed}~1^{tree}`]);
  const evil = await repo.run(['rev-parse', `${reverting.landed}^{tree}`]);
  const objectPath = (sha: string) => join(root, '.git/objects', sha.slice(0, 2), sha.slice(2));
  await repo.run(['unpack-objects', '-q'], root).catch(() => undefined);
  await rm(objectPath(before), { force: true });
  await repo.processes.run({
    file: 'sh',
    args: ['-c', 'mkdir -p "$(dirname "$2")" && cp -f "$1" "$2"', 'forge', objectPath(evil), objectPath(before)],
    cwd: '/',
  });
  const reverted = await revertCommit(repo.git, reverting).catch(() => ({ kind: 'failed' }) as const);
  if (reverted.kind === 'reverted') expect(await repo.run(['show', `${reverted.sha}:a`])).toBe('1');
  else expect(reverted.kind).toBe('failed');
});
