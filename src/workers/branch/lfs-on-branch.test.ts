import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REVIEWED, undo } from '../../../test/support/accepted-work.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { acceptWork } from '../accept-work.ts';
import { reviewWork } from '../review-work.ts';

const BRANCH = 'team/a';
const ATTRIBUTES = { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'a.bin': 'base\n' };

/** A source that keeps `*.bin` in git-lfs, and work that changes one such file and adds another. */
async function lfsWork(repo = ''): Promise<ScratchWork> {
  const work = await scratchWork({
    repo,
    worker: REVIEWED,
    prepare: async (source) => {
      await source.run(['lfs', 'install', '--local']);
      await source.commit('Keep binaries in git-lfs', ATTRIBUTES);
    },
  });
  await work.repo.commit('Change a', { 'a.bin': 'worker\n', 'new.bin': 'new\n' }, work.worktree);
  await reviewWork(work.context, { worker: 'adam' });
  return work;
}

const accept = ({ context }: ScratchWork) => acceptWork(context, { worker: 'adam', branch: BRANCH });

/** The files as a person finds them, who has nothing but the source. */
async function checkedOut({ repo }: ScratchWork): Promise<readonly string[]> {
  await repo.run(['switch', '-q', BRANCH]);
  expect(await repo.run(['lfs', 'fsck'])).toContain('OK');
  expect(await repo.run(['status', '--porcelain'])).toBe('');
  return await Promise.all(['a.bin', 'new.bin'].map((file) => repo.read(file)));
}

test('content in git-lfs goes to a new branch, and back with an undo', async () => {
  await using work = await lfsWork();
  await accept(work);
  expect(await work.repo.run(['show', `${BRANCH}:new.bin`])).toContain('oid sha256:');
  expect(await checkedOut(work)).toEqual(['worker\n', 'new\n']);
  await work.repo.run(['switch', '-q', 'main']);
  expect(await work.repo.read('a.bin')).toBe('base\n');
  expect(await undo(work)).toMatchObject({ branch: BRANCH, status: 'needs_review' });
  expect(await readFile(join(work.worktree, 'new.bin'), 'utf8')).toBe('new\n');
});

test('a branch that is checked out gets the content with its files', async () => {
  await using work = await lfsWork();
  await work.repo.run(['switch', '-qc', BRANCH]);
  await accept(work);
  expect(await Promise.all(['a.bin', 'new.bin'].map((file) => work.repo.read(file)))).toEqual(['worker\n', 'new\n']);
  expect(await work.repo.run(['status', '--porcelain'])).toBe('');
});

test('a branch with content of its own is validated with the content of both, not with pointers', async () => {
  await using work = await lfsWork(`validate = ['cat *.bin > "$PWD.seen"']`);
  await work.repo.run(['switch', '-qc', BRANCH]);
  await work.repo.commit('Mine', { 'mine.bin': 'mine\n' }, work.repo.path);
  await work.repo.run(['switch', '-q', 'main']);
  await accept(work);
  expect(await readFile(join(work.context.layout.worktrees, '_branch.seen'), 'utf8')).toBe('worker\nmine\nnew\n');
  expect(await checkedOut(work)).toEqual(['worker\n', 'new\n']);
});
