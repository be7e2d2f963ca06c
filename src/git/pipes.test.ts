import { execFileSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchRepo, scratchRoot } from '../../test/support/scratch-repo.ts';
import { systemClock } from '../system/clock.ts';
import { readStatus } from './inspect.ts';
import { endAtPipe } from './pipes.ts';

const PIPES = [
  '.worktrees/adam/.gitignore',
  '.worktrees/adam/deep/er/.gitignore',
  '.worktrees/adam/.gitattributes',
  'sandbox/adam/git/packed-refs',
];

test.each(PIPES)('git does not wait for a pipe at %s: the error names it and says how to remove it', { timeout: 60_000 }, async (place) => {
  await using repo = await scratchRepo();
  const { root, worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  await repo.write('deep/er/file', 'x\n', path);
  // Of the same size, so that git reads it, and its attributes.
  await repo.write('README.md', 'HELLO\n', path);
  const pipe = join(root, place);
  await rm(pipe, { force: true });
  execFileSync('mkfifo', [pipe]);
  await expect(readStatus(repo.git, path)).rejects.toMatchObject({
    code: 'GIT_FAILED',
    message: `${pipe} is a named pipe, and git would wait for it for ever`,
    hint: `Remove it, then try again: rm -- '${pipe}'`,
  });
  await rm(pipe);
  if (!place.endsWith('packed-refs')) expect((await readStatus(repo.git, path)).changes).toHaveLength(2);
});

test('a slow call goes on while there is no pipe, and llmc looks again', async () => {
  const looks: number[] = [];
  const call = Promise.withResolvers<string>();
  const find = async () => {
    looks.push(looks.length);
    if (looks.length === 3) call.resolve('done');
    return undefined;
  };
  const clock = { ...systemClock, sleep: () => (looks.length < 3 ? Promise.resolve() : new Promise<void>(() => undefined)) };
  expect(await endAtPipe(clock, find, () => call.promise)).toBe('done');
  expect(looks).toHaveLength(3);
});

test('a pipe that git does not read is left alone', async () => {
  await using repo = await scratchRepo();
  const { worktree } = await scratchRoot(repo);
  const path = await worktree('adam');
  await mkdir(join(path, 'build'));
  execFileSync('mkfifo', [join(path, 'build', 'pipe')]);
  expect((await readStatus(repo.git, path)).changes).toEqual([]);
});
