import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reaches } from '../support/agent-side.ts';
import { isAlive, until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

test('down --force ends a supervisor whose git waits for a pipe that an agent put in place of .gitignore', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await world.ok('start', '--worker', 'adam', '--prompt', 'Write a poem');
  await reaches(world, 'adam', 'needs_review');
  const pipe = join(world.worktree('adam'), '.gitignore');
  rmSync(pipe, { force: true });
  execFileSync('mkfifo', [pipe]);
  const supervisor = await world.supervisorPid();
  const review = world.run(['review', 'adam']);
  await until('git to wait for the pipe', async () => gitIsWaiting(supervisor));
  await world.ok('down', '--force');
  expect((await review).status).not.toBe(0);
  await until('the supervisor to be gone', async () => !isAlive(supervisor));
});

/** A child of the supervisor that is git, and has lived for more than a moment. */
function gitIsWaiting(supervisor: number): boolean {
  const { stdout: rows } = spawnSync('ps', ['-o', 'etimes=,comm=', '--ppid', String(supervisor)], { encoding: 'utf8' });
  return rows.split('\n').some((row) => /^\s*[1-9]\d* git$/.test(row));
}
