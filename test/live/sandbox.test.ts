import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { walledTest } from '../support/walled-test.ts';
import { llmcWorld, type World } from '../support/world.ts';

const TASK = 'Write down that walls are high';
const SANDBOX = '[sandbox]\nkind = "bubblewrap"\n';

const review = z.object({ worker: z.string(), base: z.string(), head: z.string(), diff: z.string() });

async function workForReview(world: World): Promise<void> {
  await world.ok('start', '--worker', 'adam', '--prompt', TASK);
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
}

const store = (world: World): string => join(world.root, 'sandbox/adam/git');
/** Is there as long as the worker has a sandbox. */
const mark = (world: World): string => join(world.root, 'sandbox/adam/bubblewrap');

walledTest('a whole task in the sandbox: the agent commits, the review shows it, validate runs inside, and it lands', async () => {
  await using world = await llmcWorld({ workers: ['adam'], config: SANDBOX });
  const canary = join(world.dir, 'canary');
  // It exists outside, and a line that runs outside would see it.
  writeFileSync(canary, '');
  const config = join(world.root, 'config.toml');
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('[repo]', `[repo]\nvalidate = ["test ! -e ${canary}", "test -s llmc-demo/adam.md"]`),
  );
  await workForReview(world);
  expect(existsSync(join(store(world), 'objects'))).toBe(true);
  expect(await world.ok('why', 'adam')).toContain('(demo, in a bubblewrap sandbox)');

  const shown = await world.json(review, 'review', 'adam');
  expect(shown.diff).toContain(TASK);
  await world.ok('accept', 'adam');
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain(TASK);
  expect(await world.worker('adam')).toMatchObject({ status: 'idle', current_prompt: null });
  expect(await world.ok('doctor')).toMatch(/sandbox.*bubblewrap works, for adam/);
});

walledTest('a reset and a nuke save the work of a sandboxed worker, and leave nothing of its sandbox', async () => {
  await using world = await llmcWorld({ workers: ['adam'], config: SANDBOX });
  await workForReview(world);
  await world.ok('reset', 'adam');
  expect(await world.ok('rescue', 'show', 'adam')).toContain(TASK);
  await workForReview(world);
  await world.ok('nuke', 'adam');
  expect(existsSync(join(world.root, 'sandbox/adam'))).toBe(false);
  expect(await world.gitIn(world.root, 'for-each-ref', 'refs/llmc/imported', 'refs/heads/llmc')).toBe('');
});

walledTest('a worker leaves its sandbox with its work when config.toml says so, and enters it again', async () => {
  await using world = await llmcWorld({ workers: ['adam'], config: SANDBOX });
  await workForReview(world);
  const config = join(world.root, 'config.toml');
  const text = readFileSync(config, 'utf8');
  await world.ok('down');
  writeFileSync(config, text.replace('kind = "bubblewrap"', 'kind = "none"'));
  await world.comeUp();
  expect(existsSync(mark(world))).toBe(false);
  expect(await world.ok('review', 'adam')).toContain(TASK);
  await world.ok('down');
  writeFileSync(config, text);
  await world.comeUp();
  expect(existsSync(mark(world))).toBe(true);
  await world.ok('review', 'adam');
  await world.ok('accept', 'adam');
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain(TASK);
});

walledTest('an agent does not start when its sandbox cannot be made, and the worker says what to do', async () => {
  await using world = await llmcWorld({ workers: ['adam'], config: SANDBOX, stage: 'root' });
  const programs = join(world.dir, 'programs');
  mkdirSync(programs);
  const refuses = '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n';
  writeFileSync(join(programs, 'bwrap'), refuses);
  chmodSync(join(programs, 'bwrap'), 0o755);
  const env = { PATH: `${programs}:${process.env.PATH}` };
  const { stdout } = await world.run(['up', '--detach'], { env });
  expect(stdout).toMatch(/adam: not ready.*was not started: bubblewrap cannot make a sandbox.*No permissions/s);
  expect(await world.ok('status')).not.toContain('idle');
  expect((await world.run(['doctor'], { env })).stdout).toMatch(/bubblewrap cannot make a sandbox.*do not start: adam/);
});
