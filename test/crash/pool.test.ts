import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../support/scratch-tmux.ts';
import { expectFinishedOnce, expectLandedOnce, TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

/** A root without a worker, whose pool makes one at a time. */
async function poolWorld(signal: AbortSignal): Promise<CrashWorld> {
  const world = await crashWorld([], signal);
  appendFileSync(world.layout.config, '\n[pool]\nmax = 1\nkeep_secs = 0\n');
  return world;
}

const workers = (world: CrashWorld): readonly string[] => Object.keys(world.state().workers);
const worktrees = (world: CrashWorld): readonly string[] => readdirSync(join(world.layout.root, '.worktrees'));

async function theOnly(world: CrashWorld): Promise<string> {
  let name: string | undefined;
  await until('a worker to be made', async () => {
    name = workers(world)[0];
    return name !== undefined;
  });
  return name ?? '';
}

describe('a supervisor killed while the pool makes a worker', () => {
  const faults: readonly Fault[] = ['pool:after-intent', 'pool:before-record', 'pool:after-record'];
  test.concurrent.for(faults)('at %s: the task is given once, and no worktree is left without a worker', async (fault, { signal }) => {
    await using world = await poolWorld(signal);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    await world.llmc(['start', '--queue', '--prompt', TASK]);
    await world.supervisorIsGone();

    expect(await world.up()).toMatchObject({ status: 0 });
    const name = await theOnly(world);
    await world.reaches(name, 'needs_review');
    expectFinishedOnce(world, name, TASK);
    expect(worktrees(world)).toEqual([name]);
    expect(world.rows('SELECT worker FROM pool_making')).toEqual([]);
    await world.must(['accept', name]);
    // Before that, the worktree may be removed while the test looks into it.
    await until('the pool to be empty', async () => workers(world).length === 0);
    await expectLandedOnce(world, { [name]: TASK });
    expect(worktrees(world)).toEqual([]);
  });
});

test('a supervisor killed at pool:before-forget: the worker is removed at the next start, and its name is not given again', async ({
  signal,
}) => {
  await using world = await poolWorld(signal);
  expect(await world.up('pool:before-forget')).toMatchObject({ status: 0 });
  await world.llmc(['start', '--queue', '--prompt', TASK]);
  const name = await theOnly(world);
  await world.reaches(name, 'needs_review');
  await world.must(['accept', name]);
  await world.supervisorIsGone();
  expect(workers(world)).toEqual([name]);

  expect(await world.up()).toMatchObject({ status: 0 });
  await until('the pool to be empty', async () => workers(world).length === 0);
  expect(worktrees(world)).toEqual([]);
  await expectLandedOnce(world, { [name]: TASK });
  await world.llmc(['start', '--queue', '--prompt', 'Add a line about the land']);
  expect(await theOnly(world)).not.toBe(name);
});
