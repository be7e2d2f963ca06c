import { describe, expect, test } from 'vitest';
import { runLine } from '../view/run-view.ts';
import { EngineWorld, type Turn } from './samples.ts';

const quiet: Turn = () => undefined;
const HOUR = 3_600_000;
const stop = new AbortController().signal;

describe('runs that share one place for agents', () => {
  test('say who waits and for how long, ask after the time of the queue, and go on when the place is free', async () => {
    using world = new EngineWorld({ policy: { maxAgents: 1 }, turn: quiet });
    for (const id of ['swarm-1', 'swarm-2', 'swarm-3']) await world.begin(id);
    // One of them has the place, and its agent works on.
    await world.engine.pass(stop);
    await world.engine.settled();
    expect(await world.engine.pass(stop)).toBe(world.clock.at + 60_000);
    world.clock.pass(HOUR / 2);
    const waiting = world.engine.waiting.map(({ run }) => run);
    expect(waiting).toEqual(['swarm-2', 'swarm-3']);
    const tasks = [
      { id: 'swarm-2.1', step: 'research', kind: 'attempt', state: 'open', runAt: world.clock.at - HOUR / 2, attempt: 0 } as const,
    ];
    expect(runLine(await world.load('swarm-2'), tasks, world.clock.at)).toMatchObject({
      status: 'running',
      waiting_kind: 'queue',
      waiting_for: 'research: researcher waits for a place among the agents of runs (max_agents) for 30m',
    });
    world.clock.pass(HOUR / 2);
    for (let passes = 0; passes < 3; passes += 1) await world.engine.pass(stop);
    for (const id of waiting)
      expect((await world.load(id)).escalations).toMatchObject([{ type: 'resource', options: ['wait', 'abort'], answer: null }]);
    expect((await world.load('swarm-1')).escalations).toEqual([]);
    // The next time is not before the question is answered and the time has passed again.
    world.clock.pass(1_000);
    for (let passes = 0; passes < 3; passes += 1) await world.engine.pass(stop);
    expect((await world.load('swarm-2')).escalations).toHaveLength(1);
    await world.post('swarm-1', 'abort', { kind: 'abort', why: 'enough' });
    await world.post('swarm-3', 'decided:1', { kind: 'decided', escalation: 1, option: 'abort', text: null });
    for (let passes = 0; passes < 4; passes += 1) {
      await world.engine.pass(stop);
      await world.engine.settled();
    }
    expect(await world.load('swarm-2')).toMatchObject({
      steps: { research: { state: { kind: 'acting', startBy: {} } } },
      escalations: [{ answer: { option: 'answered' } }],
    });
    expect((await world.load('swarm-3')).status).toBe('aborted');
  });

  test('ask nothing because the clock went back', async () => {
    using world = new EngineWorld({ policy: { maxAgents: 1 }, turn: quiet });
    for (const id of ['swarm-1', 'swarm-2']) await world.begin(id);
    for (const back of [0, HOUR]) {
      world.clock.at -= back;
      for (let passes = 0; passes < 3; passes += 1) await world.engine.pass(stop);
      await world.engine.settled();
    }
    expect(world.engine.waiting).toHaveLength(1);
    expect((await world.load('swarm-2')).escalations).toEqual([]);
  });
});

describe('a machine that was off', () => {
  /** A swarm whose researcher has its task, and an engine that comes up again later. */
  async function offFor(ms: number, known: boolean) {
    const world = new EngineWorld({ turn: quiet });
    await world.begin('swarm-1');
    await world.engine.pass(stop);
    await world.engine.settled();
    world.workers.report('swarm-1-researcher', { kind: 'started', action: 'swarm-1.1' }, world.clock.at);
    await world.engine.pass(stop);
    const left = world.clock.at;
    world.clock.pass(ms);
    if (known) world.lastAlive = left;
    await world.restart();
    await world.engine.pass(stop);
    return world;
  }

  test('overnight charges neither the stage nor the run, also if its agent is found to be lost only later', async () => {
    using world = await offFor(30 * HOUR, true);
    expect(await world.load('swarm-1')).toMatchObject({
      status: 'running',
      recoveries: 0,
      steps: { research: { state: { kind: 'working' } } },
    });
    world.workers.report('swarm-1-researcher', { kind: 'lost', action: 'swarm-1.1' }, world.clock.at);
    await world.engine.pass(stop);
    expect((await world.load('swarm-1')).steps.research).toMatchObject({ tries: 1, failures: {}, state: { kind: 'acting' } });
  });

  test('without a sign of life from before cannot be told from one that ran', async () => {
    using world = await offFor(30 * HOUR, false);
    expect(await world.load('swarm-1')).toMatchObject({ status: 'failed', error: { code: 'WORKFLOW_TIMEOUT' } });
  });

  test('is noticed also while this process was only suspended', async () => {
    using world = new EngineWorld({ turn: quiet });
    await world.begin('swarm-1');
    await world.engine.pass(stop);
    world.engine.beat();
    world.clock.pass(30 * HOUR);
    await world.engine.pass(stop);
    expect((await world.load('swarm-1')).status).toBe('running');
    world.engine.beat();
    for (let seconds = 0; seconds < 30 * HOUR; seconds += 30_000) {
      world.clock.pass(30_000);
      world.engine.beat();
    }
    await world.engine.pass(stop);
    expect((await world.load('swarm-1')).status).toBe('failed');
  });
});
