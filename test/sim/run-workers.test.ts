import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RUN_HEAD_FILE } from '../../src/store/layout.ts';
import { listTaskReports, type Outcome } from '../../src/store/tables/tasks.ts';
import { followUp } from '../../src/workers/tasks/follow-up.ts';
import { giveTask } from '../../src/workers/tasks/give-task.ts';
import { haltWorker, restWorker } from '../../src/workers/tasks/rest-worker.ts';
import { makeRunWorker } from '../../src/workers/tasks/run-worker.ts';
import type { TaskRequest } from '../../src/workers/tasks/task-request.ts';
import { NightWorld } from './night-world.ts';

const DEV = 'swarm-1-dev';
const LONG_MS = 10 * 60_000;
const TASK: TaskRequest = {
  id: 'a1',
  worker: DEV,
  base: null,
  worktree: 'reset',
  conversation: 'fresh',
  session: '',
  prompt: 'Build the tower',
  expects: { kind: 'commit' },
};
const AGAIN = { ...TASK, id: 'a2', worktree: 'keep', conversation: 'resume', session: '-r2' } as const;

/** Waits for a use-case on the simulated clock, which must run meanwhile. */
async function done(world: NightWorld, work: Promise<unknown>): Promise<void> {
  let over = false;
  const settled = work.finally(() => {
    over = true;
  });
  settled.catch(() => undefined);
  await world.until('a use-case', () => over, LONG_MS);
  await settled;
}

/** A root with a person's worker and one of a run, both with a living agent; the one of the run is in the middle of its task. */
async function atWork(seed: number): Promise<NightWorld> {
  const world = await NightWorld.make(['adam'], seed);
  // A worker of a run that llmc knows nothing about would be given to a person.
  const folder = join(world.layout.runs, 'swarm-1');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, RUN_HEAD_FILE), '');
  await world.up();
  await done(world, makeRunWorker(world.context, { name: DEV, run: 'swarm-1', role: 'dev', agent: 'demo' }));
  await done(world, giveTask(world.context, TASK));
  await world.until('the agent to have its task', () => kinds(world, 'a1').includes('started'), LONG_MS);
  await world.pass(12_000);
  return world;
}

const outcomes = (world: NightWorld, task: string): readonly Outcome[] =>
  listTaskReports(world.context.store.database, task).map(({ outcome }) => outcome);
const kinds = (world: NightWorld, task: string) => outcomes(world, task).map(({ kind }) => kind);
const ended = async (world: NightWorld, task: string) =>
  await world.until(`the end of ${task}`, () => outcomes(world, task).some(({ kind }) => ENDS.includes(kind)), LONG_MS);
const ENDS: readonly string[] = ['finished', 'stopped', 'crashed', 'lost', 'failed', 'halted'];
const dev = (world: NightWorld) => world.context.store.worker(DEV);
const lives = (world: NightWorld) => world.tmux.living.length;

test('a task is done once, its commit is reported, and the worker is the run’s alone', async () => {
  await using world = await atWork(1);
  await ended(world, 'a1');
  expect(kinds(world, 'a1')).toEqual(['started', 'finished']);
  expect(await world.commits(DEV)).toEqual(['Build the tower']);
  expect(outcomes(world, 'a1')[1]).toMatchObject({ commit: dev(world).commit_sha });
  expect(dev(world)).toMatchObject({ status: 'idle', attention: null });
  await done(world, followUp(world.context, { id: 'f1', worker: DEV, text: 'Now the roof' }));
  await ended(world, 'f1');
  expect(kinds(world, 'f1')).toEqual(['started', 'finished']);
  expect(world.turns(DEV)).toHaveLength(2);
});

test('a crash is an outcome: the worker rests, and the next try goes on in its conversation', async () => {
  await using world = await atWork(2);
  const agent = world.tmux.living.at(-1);
  if (agent !== undefined) world.tmux.kill(agent);
  await ended(world, 'a1');
  expect(outcomes(world, 'a1').at(-1)).toMatchObject({ kind: 'crashed', how: 'crashed' });
  await world.pass(60_000);
  expect(dev(world)).toMatchObject({ status: 'offline', run: { resting: true } });
  expect(lives(world)).toBe(1);
  const conversation = dev(world).conversation_id;
  await done(world, giveTask(world.context, AGAIN));
  await ended(world, 'a2');
  expect(kinds(world, 'a2')).toEqual(['started', 'finished']);
  expect(dev(world)).toMatchObject({ conversation_id: conversation, session_id: `llmc-${DEV}-r2` });
});

test.for<[string, (world: NightWorld) => Promise<void> | void]>([
  ['the tmux server is killed', (world) => world.tmux.killServer()],
  [
    'the machine reboots',
    async (world) => {
      world.killSupervisor();
      world.tmux.reboot();
      await world.pass(5 * 60_000);
      await world.up();
    },
  ],
])('%s: the task is lost by an outside cause, and goes on when it is given again', async ([, accident]) => {
  await using world = await atWork(3);
  await accident(world);
  await ended(world, 'a1');
  expect(kinds(world, 'a1').at(-1)).toBe('lost');
  await done(world, giveTask(world.context, { ...AGAIN, session: '' }));
  await ended(world, 'a2');
  expect(kinds(world, 'a2')).toEqual(['started', 'finished']);
});

test('the supervisor is killed: the agent works on, and its end is reported once', async () => {
  await using world = await atWork(4);
  world.killSupervisor();
  await world.pass(5 * 60_000);
  await world.up();
  await ended(world, 'a1');
  await world.pass(60_000);
  expect(kinds(world, 'a1')).toEqual(['started', 'finished']);
  expect(world.turns(DEV)).toHaveLength(1);
});

test('an agent that ended after its turn has finished its task, though nobody noticed', async () => {
  await using world = await atWork(5);
  world.killSupervisor();
  await world.pass(5 * 60_000);
  world.tmux.reboot();
  await world.up();
  await ended(world, 'a1');
  expect(kinds(world, 'a1')).toEqual(['started', 'finished']);
  expect(world.turns(DEV)).toHaveLength(1);
});

test('a resting worker has no session, also after a restart, until it is told more', async () => {
  await using world = await atWork(6);
  await ended(world, 'a1');
  await done(world, restWorker(world.context, DEV));
  expect(lives(world)).toBe(1);
  world.killSupervisor();
  await world.up();
  await world.pass(60_000);
  expect(lives(world)).toBe(1);
  expect(dev(world)).toMatchObject({ status: 'offline', run: { resting: true } });
  await done(world, followUp(world.context, { id: 'f1', worker: DEV, text: 'Now the roof' }));
  await ended(world, 'f1');
  expect(kinds(world, 'f1')).toEqual(['started', 'finished']);
});

test('a halted worker stops in its turn and continues later', async () => {
  await using world = await atWork(7);
  await done(world, haltWorker(world.context, DEV));
  expect(kinds(world, 'a1')).toEqual(['started', 'halted']);
  await world.pass(60_000);
  expect(lives(world)).toBe(1);
  await done(world, giveTask(world.context, { ...AGAIN, session: '' }));
  await ended(world, 'a2');
  expect(kinds(world, 'a2')).toEqual(['started', 'finished']);
});

test('a turn that an overloaded service failed is the run’s decision, and the next try ends well', async () => {
  await using world = await NightWorld.make(['adam'], 8);
  await world.up();
  world.overloadedUntil = world.clock.now() + 60_000;
  await done(world, makeRunWorker(world.context, { name: DEV, run: 'swarm-1', role: 'dev', agent: 'demo' }));
  await done(world, giveTask(world.context, TASK));
  await ended(world, 'a1');
  expect(outcomes(world, 'a1').at(-1)).toMatchObject({ kind: 'failed', error: 'overloaded' });
  await world.pass(60_000);
  expect(kinds(world, 'a1').filter((kind) => kind === 'failed')).toHaveLength(1);
  await done(world, giveTask(world.context, AGAIN));
  await ended(world, 'a2');
  expect(kinds(world, 'a2')).toEqual(['started', 'finished']);
  expect(await world.commits(DEV)).toEqual(['Build the tower']);
});

test('an agent that cannot be started is the run’s decision, and is not tried again', async () => {
  await using world = await NightWorld.make(['adam'], 9);
  appendFileSync(world.layout.config, '\n[agents.claude]\ncommand = "/nowhere/claude"\n');
  await world.up();
  await done(world, makeRunWorker(world.context, { name: DEV, run: 'swarm-1', role: 'dev', agent: 'claude' }));
  await done(world, giveTask(world.context, TASK));
  await ended(world, 'a1');
  await world.pass(60_000);
  expect(outcomes(world, 'a1')).toEqual([expect.objectContaining({ kind: 'failed', code: 'AGENT_SPAWN_FAILED' })]);
  expect(dev(world)).toMatchObject({ status: 'offline', attention: null, run: { resting: true } });
  await done(world, giveTask(world.context, { ...AGAIN, agent: 'demo', session: '-demo' }));
  await ended(world, 'a2');
  expect(kinds(world, 'a2')).toEqual(['started', 'finished']);
});
