import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isFullRun, rowsOfThisRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { play } from './story.ts';
import { historyOf, ROLES, swarmStory } from './swarm-story.ts';
import { crashWorld, type Fault } from './world.ts';

/** The passages of each point in one swarm. */
const POINTS: readonly (readonly Fault[])[] = [
  ['relay:after-post@3', 'relay:after-post', 'relay:after-post@6'],
  ['run:before-commit@5', 'run:before-commit', 'run:before-commit@10'],
  ['run:after-commit@5', 'run:after-commit', 'run:after-commit@10'],
  ['run:after-claim@4', 'run:after-claim', 'run:after-claim@6'],
  ['run:before-perform@4', 'run:before-perform', 'run:before-perform@7'],
  ['run:after-perform@5', 'run:after-perform', 'run:after-perform@7'],
  ['run:after-post@2', 'run:after-post', 'run:after-post@7'],
  ['run:after-settle@3', 'run:after-settle', 'run:after-settle@7'],
  ['attempt:after-make@2', 'attempt:after-make', 'attempt:after-make@3'],
  ['attempt:after-exchange@3', 'attempt:after-exchange', 'attempt:after-exchange@2'],
  ['collect:before-ref'],
  ['collect:before-store@2', 'collect:before-store'],
  ['collect:after-store', 'collect:after-store@2'],
];

/** src/workflow/engine/crash.test.ts kills an engine without tmux at each point in every run. */
const IN_EACH_RUN: readonly Fault[] = ['relay:after-post@3', 'run:after-perform@5', 'collect:before-ref'];
const FAULTS = rowsOfThisRun(POINTS.flat(), (fault) => IN_EACH_RUN.includes(fault));

test.concurrent.for(FAULTS)('a supervisor killed at %s: the run goes on, and nothing is done twice', async (fault, { signal }) => {
  await using world = await crashWorld([], signal);
  const swarm = swarmStory(world);
  expect(await world.up(fault)).toMatchObject({ status: 0 });
  await swarm.begin();
  await world.supervisorIsGone();
  expect(swarm.status()).toBe('running');

  expect(await world.up()).toMatchObject({ status: 0 });
  await swarm.accept();
  await swarm.endsOnce();
  for (const role of ROLES)
    expect(
      swarm.recorded(role).map(({ event }) => event),
      role,
    ).toEqual(['began', 'ended']);
  expect(world.rows('SELECT code FROM error_log')).toEqual([]);
  // What was being performed is performed again, and `why` says so.
  if (fault === 'run:after-perform@5') expect(historyOf(world)).toMatch(/: llmc performs ".+" again \(time 2\)/);
});

const AFTER_THE_END: readonly Fault[] = isFullRun
  ? ['run-worker:before-forget@2', 'dismiss:before-remove', 'dismiss:before-remove@3', 'run-log:before-rename', 'run-log:before-write']
  : ['run-worker:before-forget@2', 'run-log:before-rename'];

test.concurrent.for(AFTER_THE_END)(
  'a supervisor killed at %s: the workers of a run that is done are removed, and its log is whole',
  async (fault, { signal }) => {
    await using world = await crashWorld([], signal);
    const swarm = swarmStory(world);
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    await swarm.begin();
    await swarm.accept();
    await world.supervisorIsGone();
    expect(await world.up()).toMatchObject({ status: 0 });
    await swarm.endsOnce();
    const folder = join(world.layout.runs, 'swarm-1');
    expect(parse(readFileSync(join(folder, 'log.yaml'), 'utf8'))).toMatchObject({ workflow_id: 'swarm-1', status: 'done', error_log: [] });
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  },
);

const AT_AN_ARCHIVING: readonly Fault[] = isFullRun
  ? ['archive-run:before-move', 'archive-run:after-move', 'archive-run:after-delete']
  : ['archive-run:after-move'];

test.concurrent.for(AT_AN_ARCHIVING)(
  'a supervisor killed at %s: the run is archived once, and nothing of it is lost',
  async (fault, { signal }) => {
    await using world = await crashWorld([], signal);
    const file = join(world.repo.dir, 'lines.yaml');
    writeFileSync(file, 'name: lines\nroles: {}\nstages: [{ id: lines, command: "true" }]\n');
    expect(await world.up(fault)).toMatchObject({ status: 0 });
    await world.must(['run', file, '--detach']);
    const isSettled = () =>
      world.rows("SELECT 1 FROM runs WHERE status = 'done' AND NOT EXISTS (SELECT 1 FROM run_tasks WHERE state <> 'done')");
    await until('the run to end', async () => isSettled().length === 1, 120_000);
    await world.llmc(['clean', '--runs', '--older-than', '0s', '--yes']);
    await world.supervisorIsGone();
    expect(await world.up()).toMatchObject({ status: 0 });
    // Killed before the move, nothing was archived.
    if (fault === 'archive-run:before-move') await world.must(['clean', '--runs', '--older-than', '0s', '--yes']);
    expect(world.rows('SELECT id FROM runs')).toEqual([]);
    expect(readdirSync(world.layout.runs)).toEqual(['archive']);
    const archived = readdirSync(join(world.layout.runs, 'archive/lines-1'));
    expect(archived).toEqual(expect.arrayContaining(['archive.json', 'log.yaml', 'report.json', 'rows.json', 'state.yaml', 'lines-1.log']));
  },
);

const AT_A_HALT: readonly Fault[] = isFullRun ? ['messages:after-post', 'halt:before-partial'] : ['messages:after-post'];

test.concurrent.for(AT_A_HALT)('a supervisor killed at %s: what a stopped agent left is kept once', async (fault, { signal }) => {
  await using world = await crashWorld([], signal);
  const steps = '{message: {to: developer, text: hello}}, {leave: {file: notes.md}}, {misbehave: stall}';
  play(world, `turns: [{when: ., steps: [${steps}]}]`);
  expect(await world.up(fault)).toMatchObject({ status: 0 });
  await world.must(['run', 'swarm', '--input', 'task=Look', '--detach']);
  const left = join(world.layout.worktree('swarm-1-researcher'), '.llmc-task/out/notes.md');
  // The agent leaves it before the run hears that it is at work, and the run halts only an agent that it knows of.
  await until('the agent to leave something', async () => existsSync(left) && /researcher has the task/.test(historyOf(world)), 240_000);
  await world.llmc(['abort', 'swarm-1']);
  await world.supervisorIsGone();
  expect(await world.up()).toMatchObject({ status: 0 });
  const kept = join(world.layout.runs, 'swarm-1/partial/research-1/notes.md');
  await until('it to be kept', async () => existsSync(kept), 120_000);
  await until('its tasks to be settled', async () => world.rows("SELECT id FROM run_tasks WHERE state <> 'done'").length === 0, 240_000);
  expect(world.rows("SELECT key FROM run_events WHERE key LIKE 'file:%'")).toHaveLength(1);
  expect(world.rows('SELECT status FROM runs')).toEqual([{ status: 'aborted' }]);
  // A recovery with --keep-agents goes on in it.
  expect(world.worker('swarm-1-researcher')).toMatchObject({ status: 'offline', run: { resting: true } });
});
