import { expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import type { Plan } from '../definition/plan.ts';
import { forEach, POLICY, swarmPlan, work } from '../next/samples.ts';
import { EngineWorld } from './samples.ts';

const RETRY_MS = 60_000;
const providers = { failures: 2, retryAfterMs: RETRY_MS, states: {}, defaultAgent: 'claude', accountOf: (agent: string) => agent };
const policy = { ...POLICY, maxAgents: 1, providers, limits: { ...POLICY.limits, coolDownMs: 0 } };

/** Pieces of work one after the other, for a role with a fallback. */
function plan(...ids: readonly string[]): Plan {
  return { ...swarmPlan(), stages: ids.map((id, nth) => work(id, 'developer', { needs: ids.slice(Math.max(0, nth - 1), nth) })) };
}

/** The service of claude is down, up to a moment. */
function outage(world: EngineWorld, isDown: () => boolean): void {
  world.fails = ({ agent, action }) =>
    agent !== 'codex' && isDown()
      ? errorRecord({ id: action, code: 'CLAUDE_API_ERROR', message: '529 Overloaded', component: '', at: world.clock.at })
      : undefined;
}

const agents = ({ workers }: EngineWorld, run: string) =>
  workers.tasks.filter(({ worker }) => worker.startsWith(run)).map(({ agent }) => agent ?? 'claude');

test('new work of every run goes to the fallback at once while a service is down, also after a restart, and comes back after one try that succeeds', async () => {
  using world = new EngineWorld({ policy });
  let down = true;
  outage(world, () => down);
  await world.begin('swarm-1', plan('one'));
  await world.untilEnded('swarm-1');
  // Two tries with the own agent opened it.
  expect(agents(world, 'swarm-1')).toEqual(['claude', 'claude', 'codex']);
  expect(await world.runs.providers()).toMatchObject({ claude: { kind: 'open', failures: 2 } });

  await world.restart();
  await world.begin('swarm-2', plan('two', 'three'));
  world.onRound = () => {
    if (agents(world, 'swarm-2').length > 0) down = false;
  };
  await world.untilEnded('swarm-2');
  expect(agents(world, 'swarm-2')).toEqual(['codex', 'codex']);

  world.clock.pass(RETRY_MS);
  await world.begin('swarm-3', plan('four', 'five'));
  await world.untilEnded('swarm-3');
  expect(agents(world, 'swarm-3')).toEqual(['claude', 'claude']);
  expect(await world.runs.providers()).toEqual({});
});

test('a run that was moved comes back by itself, with its next piece of work after the wait', async () => {
  using world = new EngineWorld({ policy });
  outage(world, () => !agents(world, 'swarm-1').includes('codex'));
  await world.begin('swarm-1', plan('one', 'two'));
  world.onRound = () => {
    if (agents(world, 'swarm-1').includes('codex') && agents(world, 'swarm-1').length === 3) world.clock.pass(RETRY_MS);
  };
  await world.untilEnded('swarm-1');
  expect(agents(world, 'swarm-1')).toEqual(['claude', 'claude', 'codex', 'claude']);
});

test.each([[undefined], ['run:after-commit'], ['run:before-perform']] as const)(
  'of many items that begin after the wait, exactly one tries the own agent (killed at %s)',
  async (point) => {
    using world = new EngineWorld({ policy: { ...policy, maxAgents: 8 } });
    let down = true;
    outage(world, () => down);
    await world.begin('swarm-1', plan('one'));
    await world.untilEnded('swarm-1');
    world.clock.pass(RETRY_MS);
    const all = forEach('all', [work('do', 'developer')], { maxParallel: 6, of: 'inputs.list' });
    await world.begin('swarm-2', { ...swarmPlan(), stages: [all] }, { list: ['a', 'b', 'c', 'd', 'e', 'f'] });
    if (point !== undefined) world.killAt(point, 1);
    await world.round();
    await world.round();
    expect(world.kills).toBe(point === undefined ? 0 : 1);
    expect(agents(world, 'swarm-2').toSorted()).toEqual(['claude', 'codex', 'codex', 'codex', 'codex', 'codex']);
    down = false;
    await world.untilEnded('swarm-2');
  },
);
