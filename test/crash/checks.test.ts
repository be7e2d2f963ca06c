import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive, until } from '../support/scratch-tmux.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

/** Each run of the line adds its process to a file, and ends once another file is there. */
function checking(world: CrashWorld) {
  const [ran, go] = ['ran', 'go'].map((name) => join(world.repo.dir, name));
  const line = `echo $$ >> ${ran}; for i in $(seq 1200); do test -e ${go} && exit 0; sleep 0.1; done; exit 1`;
  const file = join(world.repo.dir, 'check.yaml');
  writeFileSync(file, `name: check\nstages:\n  - { id: tests, command: ${JSON.stringify(line)}, timeout: 5m }\n`);
  return {
    file,
    letGo: () => writeFileSync(go ?? '', ''),
    pids: () =>
      existsSync(ran ?? '')
        ? readFileSync(ran ?? '', 'utf8')
            .trim()
            .split('\n')
            .map(Number)
        : [],
  };
}

const statusOf = (world: CrashWorld) => world.rows("SELECT status FROM runs WHERE id = 'check-1'")[0]?.status;

test.concurrent.for<[Fault, number]>([
  ['check:before-lines', 1],
  ['check:after-lines', 1],
])('shell lines of a supervisor killed at %s run %i time', async ([fault, times], { signal }) => {
  await using world = await crashWorld([], signal);
  const { file, letGo, pids } = checking(world);
  letGo();
  expect(await world.up(fault)).toMatchObject({ status: 0 });
  await world.llmc(['run', file, '--detach']);
  await world.supervisorIsGone();
  expect(await world.up()).toMatchObject({ status: 0 });
  await until('the run to end', async () => statusOf(world) !== 'running', 240_000);
  expect(statusOf(world)).toBe('done');
  expect(pids()).toHaveLength(times);
});

test.concurrent('shell lines that were running when the supervisor was killed are ended before they run again', async ({ signal }) => {
  await using world = await crashWorld([], signal);
  const { file, letGo, pids } = checking(world);
  expect(await world.up()).toMatchObject({ status: 0 });
  await world.must(['run', file, '--detach']);
  await until('the line', async () => pids().length === 1 && world.rows('SELECT 1 FROM run_checks WHERE pid IS NOT NULL').length === 1);
  const [first = 0] = pids();
  await world.killSupervisorAt({ changes: 0, pauseMs: 0 }, () => true);
  expect(isAlive(first), 'it outlives the supervisor').toBe(true);
  expect(await world.up()).toMatchObject({ status: 0 });
  await until('the second try', async () => pids().length === 2);
  expect(isAlive(first)).toBe(false);
  letGo();
  await until('the run to end', async () => statusOf(world) !== 'running', 240_000);
  expect(statusOf(world)).toBe('done');
  expect(pids()).toHaveLength(2);
});
