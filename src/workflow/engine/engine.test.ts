import { describe, expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import { review, swarmPlan, work } from '../next/samples.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { LEASE_MS } from './carry-out.ts';
import { EngineWorld, type Turn } from './samples.ts';

const quiet: Turn = () => undefined;

test('two runs share one place for agents: each waits for the other visibly, and both end', async () => {
  using world = new EngineWorld({ policy: { maxAgents: 1 } });
  await world.begin('swarm-1');
  await world.begin('swarm-2');
  await world.round();
  expect(world.engine.waiting).toMatchObject([{ run: 'swarm-2', step: 'research', worker: 'swarm-2-researcher' }]);
  let most = 0;
  const count = () => {
    most = Math.max(most, world.workers.living().length);
  };
  world.onRound = count;
  const runs = await world.untilEnded('swarm-1', 'swarm-2');
  expect(runs.map(({ status }) => status)).toEqual(['done', 'done']);
  expect(most).toBe(1);
  await world.round();
  expect(world.engine.waiting).toEqual([]);
});

test('stages of one role that run beside each other have a worker each', async () => {
  const plan = swarmPlan(() => [
    work('one', 'developer'),
    work('two', 'developer'),
    review('look', 'one'),
    work('three', 'developer', { needs: ['two'] }),
  ]);
  using world = new EngineWorld({ turn: quiet });
  await world.begin('swarm-1', plan);
  await world.round();
  expect(world.workers.tasks.map(({ worker }) => worker).toSorted()).toEqual(['swarm-1-developer', 'swarm-1-developer-2']);
  for (let round = 0; round < 3; round += 1) await world.round();
  // The first is still needed by the review, the second has nothing to do any more.
  expect(world.workers.tasks.at(-1)).toMatchObject({ worker: 'swarm-1-developer-2', worktree: 'reset' });
});

describe('an agent', () => {
  test('whose result is not usable is told what is wrong, twice; then a person is asked', async () => {
    using world = new EngineWorld({ turn: quiet });
    await world.begin('swarm-1');
    for (let round = 0; round < 30; round += 1) await world.round();
    expect(world.workers.effects.filter((effect) => !effect.startsWith('rest'))).toEqual([
      'make swarm-1-researcher',
      'give swarm-1-researcher',
      'follow up swarm-1-researcher',
      'follow up swarm-1-researcher',
    ]);
    expect(world.workers.messages[0]?.text).toContain('.llmc-task/out/findings.md is missing: write it');
    expect((await world.load('swarm-1')).escalations).toMatchObject([{ type: 'invalid_output', step: 'research', answer: null }]);
  });

  test('that crashed goes on in its worktree under another session name', async () => {
    using world = new EngineWorld({ turn: quiet });
    await world.begin('swarm-1');
    world.crashNext('swarm-1-researcher');
    for (let round = 0; round < 8; round += 1) await world.round();
    expect(world.workers.tasks).toMatchObject([
      { session: '', worktree: 'reset', conversation: 'fresh' },
      { session: '-r2', worktree: 'keep', conversation: 'resume' },
    ]);
  });
});

test('an operation that fails is an event of its run', async () => {
  using world = new EngineWorld();
  await world.begin('swarm-1');
  world.workers.make = () => Promise.reject(new LlmcError('GIT_WORKTREE_FAILED', 'no space'));
  for (let round = 0; round < 20; round += 1) await world.round();
  const run = await world.load('swarm-1');
  expect(run).toMatchObject({ status: 'failed', error: { code: 'GIT_WORKTREE_FAILED', message: 'no space', component: 'research' } });
  expect(run.recoveries).toBe(2);
});

test('a run that cannot be decided on is set aside, and the others go on', async () => {
  using world = new EngineWorld();
  await world.begin('swarm-1');
  await world.begin('swarm-2');
  world.database.prepare("UPDATE runs SET state_json = '{}' WHERE id = 'swarm-1'").run();
  const [other] = await world.untilEnded('swarm-2');
  expect(other?.status).toBe('done');
  expect([...world.engine.broken.keys()]).toEqual(['swarm-1']);
  expect(world.said).toHaveLength(1);
  expect(await new SqliteRecords(world.database).history('swarm-1')).toMatchObject([{ text: expect.stringContaining('does not move') }]);
});

describe('a damaged row', () => {
  const DAMAGE = {
    'the run': "UPDATE runs SET state_json = '{' WHERE id = 'swarm-1'",
    'its status': "UPDATE runs SET status = 'lost' WHERE id = 'swarm-1'",
    'its event': "UPDATE run_events SET event_json = 'x' WHERE run = 'swarm-1' AND consumed = 0",
    'its task': "UPDATE run_tasks SET data_json = '{' WHERE run = 'swarm-1'",
  };

  test.each(Object.entries(DAMAGE))('%s: the other runs go on', async (_name, sql) => {
    using world = new EngineWorld({ policy: { maxAgents: 1 } });
    await world.begin('swarm-1');
    await world.begin('swarm-2');
    if (sql.includes('run_tasks')) await world.round();
    world.database.prepare(sql).run();
    const [other] = await world.untilEnded('swarm-2');
    expect(other?.status).toBe('done');
    expect((await world.runs.list()).map(({ id }) => id)).toContain('swarm-2');
  });
});

test('a run that is set aside does not keep the loop awake', async () => {
  using world = new EngineWorld({ turn: quiet });
  const stop = new AbortController();
  await world.begin('swarm-1');
  const running = world.engine.run(stop.signal);
  await world.until(() => world.workers.tasks.length === 1);
  world.database.prepare("UPDATE runs SET state_json = '{}' WHERE id = 'swarm-1'").run();
  // Its next checkpoint is due.
  world.clock.pass(60_000);
  await world.until(() => world.engine.broken.has('swarm-1'));
  await world.turnsOfTheLoop();
  const before = world.calls;
  await world.turnsOfTheLoop();
  expect(world.calls).toBe(before);
  stop.abort();
  await running;
});

test('many events of one run are all decided on, without another one that wakes the engine', async () => {
  using world = new EngineWorld({ turn: quiet });
  const stop = new AbortController();
  await world.begin('swarm-1');
  for (let number = 1; number <= 250; number += 1)
    await world.post('swarm-1', `message-${number}`, { kind: 'message', from: 'person', to: 'reviewer', text: `${number}` });
  const running = world.engine.run(stop.signal);
  await world.until(async () => (await world.load('swarm-1')).version === 251);
  stop.abort();
  await running;
});

test('a task whose lease ran out while it is performed is not performed a second time beside it', async () => {
  using world = new EngineWorld();
  const held = Promise.withResolvers<void>();
  const make = world.workers.make.bind(world.workers);
  let made = 0;
  world.workers.make = async (worker) => {
    made += 1;
    await held.promise;
    await make(worker);
  };
  world.queue.heartbeat = () => Promise.reject(new Error('the machine was suspended'));
  await world.begin('swarm-1');
  await world.engine.pass(new AbortController().signal);
  world.clock.pass(LEASE_MS + 1);
  await world.engine.pass(new AbortController().signal);
  expect(made).toBe(1);
  held.resolve();
  const [run] = await world.untilEnded('swarm-1');
  expect(run?.status).toBe('done');
});

test('an aborted run starts no agent that still waited for its place', async () => {
  using world = new EngineWorld({ policy: { maxAgents: 0 } });
  await world.begin('swarm-1');
  await world.round();
  expect(world.engine.waiting).toHaveLength(1);
  await world.post('swarm-1', 'abort', { kind: 'abort', why: 'enough' });
  const [run] = await world.untilEnded('swarm-1');
  await world.round();
  expect(run?.status).toBe('aborted');
  expect(world.workers.effects).toEqual([]);
  expect(world.engine.waiting).toEqual([]);
});

describe('the loop', () => {
  test('does nothing while ten runs wait, and wakes at an event and at its time', async () => {
    using world = new EngineWorld({ turn: quiet, policy: { maxAgents: 20 } });
    const stop = new AbortController();
    for (let number = 1; number <= 10; number += 1) await world.begin(`swarm-${number}`);
    const running = world.engine.run(stop.signal);
    await world.until(() => world.workers.tasks.length === 10);
    await world.turnsOfTheLoop();
    const before = world.calls;
    await world.turnsOfTheLoop();
    expect(world.calls).toBe(before);
    world.engine.wake();
    await world.until(() => world.calls > before);
    await world.turnsOfTheLoop();
    expect(world.calls - before).toBeLessThan(10);
    // Checkpoints are due every minute.
    world.clock.pass(60_000);
    await world.until(async () => (await world.load('swarm-10')).version === 2);
    stop.abort();
    await running;
  });

  test('goes on after a store that could not be read', async () => {
    using world = new EngineWorld();
    const stop = new AbortController();
    const { undecided } = world.runs;
    world.runs.undecided = () => Promise.reject(new Error('disk I/O error'));
    await world.begin('swarm-1');
    const running = world.engine.run(stop.signal);
    await world.until(() => world.said.length > 0);
    await world.turnsOfTheLoop();
    expect(world.said).toEqual(['The runs of workflows wait: disk I/O error']);
    world.runs.undecided = undecided;
    world.clock.pass(5_000);
    await world.until(() => world.workers.tasks.length === 1);
    stop.abort();
    await running;
  });
});
