import { expect, test } from 'vitest';
import type { Stage } from '../definition/plan.ts';
import type { What } from '../model/event.ts';
import { command, swarmPlan } from '../next/samples.ts';
import { EngineWorld } from './samples.ts';

/** A run whose shell lines run until they are ended. */
async function endless(world: EngineWorld, stage: Stage) {
  let ended = 0;
  world.workers.lines = (signal) =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        ended += 1;
        reject(new Error('interrupted'));
      }),
    );
  await world.begin(
    'swarm-1',
    swarmPlan(() => [stage]),
  );
  const stop = new AbortController();
  const running = world.engine.run(stop.signal);
  await world.until(async () => (await world.load('swarm-1')).steps.tests?.state.kind === 'working');
  const end = async () => {
    stop.abort();
    await running;
  };
  return { ended: () => ended, end };
}

test.each<[string, What]>([
  ['abort', { kind: 'abort', why: 'enough' }],
  ['tick', { kind: 'tick' }],
])('shell lines that nothing waits for after an event "%s" are ended', async (kind, what) => {
  using world = new EngineWorld();
  const { ended, end } = await endless(
    world,
    command('tests', { timeoutMs: 60_000, onFailure: { timeout: { after: 1, steps: [{ kind: 'skip', mark: undefined }] } } }),
  );
  if (kind === 'tick') world.clock.pass(60_000);
  else await world.post('swarm-1', kind, what);
  world.engine.wake();
  await world.until(() => ended() === 1);
  await world.until(async () => (await world.queue.claimable(Number.MAX_SAFE_INTEGER)).length === 0);
  expect(await world.load('swarm-1')).toMatchObject({ steps: { tests: { state: { kind: 'skipped' } } } });
  await end();
});

test('shell lines that the end of the supervisor interrupted run again at the next start', async () => {
  using world = new EngineWorld();
  const { ended, end } = await endless(world, command('tests'));
  await end();
  expect(ended()).toBe(1);
  expect((await world.load('swarm-1')).steps.tests).toMatchObject({ failures: {}, state: { kind: 'working' } });
  world.workers.lines = () => Promise.resolve();
  await world.engine.open();
  const [run] = await world.untilEnded('swarm-1');
  expect(run?.status).toBe('done');
  expect(world.workers.effects).toHaveLength(2);
});

test('shell lines of many runs leave the places of agents alone', async () => {
  using world = new EngineWorld({ policy: { maxAgents: 20 } });
  world.workers.lines = () => new Promise(() => undefined);
  for (let number = 1; number <= 10; number += 1)
    await world.begin(
      `check-${number}`,
      swarmPlan(() => [command('tests')]),
    );
  const stop = new AbortController().signal;
  await world.engine.pass(stop);
  expect(world.workers.effects).toHaveLength(4);
  await world.begin('swarm-1');
  await world.engine.pass(stop);
  await world.until(() => world.workers.tasks.length === 1);
  expect(world.workers.effects.filter((effect) => effect.startsWith('check'))).toHaveLength(4);
});
