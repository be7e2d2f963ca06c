import { expect, test } from 'vitest';
import type { FaultPoint } from '../../base/fault.ts';
import type { Reactions } from '../definition/plan.ts';
import { swarmPlan } from '../next/samples.ts';
import { EngineWorld } from './samples.ts';

const HOUR = 3_600_000;
const stop = new AbortController().signal;
const ASK: Reactions = { after: 1, steps: [{ kind: 'ask', options: [] }] };

/** A swarm whose researcher is at work when the hour of its stage is over. */
async function late(timeout?: Reactions) {
  const world = new EngineWorld({ turn: () => undefined });
  const onFailure = timeout === undefined ? {} : { timeout };
  const plan = swarmPlan((stages) => stages.map((stage) => (stage.id === 'research' ? { ...stage, timeoutMs: HOUR, onFailure } : stage)));
  await world.begin('swarm-1', plan);
  await passes(world);
  world.workers.report('swarm-1-researcher', { kind: 'started', action: 'swarm-1.1' }, world.clock.at);
  await passes(world);
  world.clock.pass(HOUR);
  world.workers.progress = () => world.clock.at;
  return world;
}

/** Passes of the engine; one that is killed takes over from itself. */
async function passes(world: EngineWorld): Promise<void> {
  for (let pass = 0; pass < 6; pass += 1) await world.passOrDie(stop);
}

const research = async (world: EngineWorld) => (await world.load('swarm-1')).steps.research;

test.each<[FaultPoint, number]>([
  ['run:before-commit', 1],
  ['run:after-commit', 1],
  ['run:after-claim', 1],
  ['run:before-perform', 1],
  ['run:after-perform', 1],
  ['run:after-post', 1],
  ['run:before-commit', 2],
  ['run:after-commit', 2],
])(
  'a supervisor that is killed at %s, time %i, while its run asks an agent whose time is up, asks it once and gives it its time',
  async (point, nth) => {
    using world = await late();
    world.killAt(point, nth);
    await passes(world);
    expect(world.kills).toBe(1);
    expect(world.workers.nudges).toMatchObject([{ worker: 'swarm-1-researcher', interrupt: false }]);
    expect(await research(world)).toMatchObject({ tries: 1, failures: { timeout: 1 }, state: { kind: 'working', action: 'swarm-1.1' } });
    expect((await research(world))?.state).toMatchObject({ deadline: { at: world.clock.at + HOUR / 2, leftMs: null } });
    expect(world.workers.effects).toEqual(['make swarm-1-researcher', 'give swarm-1-researcher', 'nudge swarm-1-researcher']);
  },
);

test.each<[FaultPoint]>([['run:before-commit'], ['run:after-commit']])(
  'a supervisor that is killed at %s, while more time is given, gives it once, and nobody has to tell the agent',
  async (point) => {
    using world = await late(ASK);
    await passes(world);
    expect((await research(world))?.state).toMatchObject({ kind: 'asking', working: { action: 'swarm-1.1' } });
    for (const key of ['decided:1', 'decided:1', 'decided:1 again'])
      await world.post('swarm-1', key, { kind: 'decided', escalation: 1, option: 'extend', text: null });
    world.killAt(point, 1);
    await passes(world);
    expect(world.kills).toBe(1);
    expect(await research(world)).toMatchObject({ tries: 1, state: { kind: 'working', action: 'swarm-1.1' } });
    expect((await research(world))?.state).toMatchObject({ deadline: { at: world.clock.at + HOUR / 2, leftMs: null } });
    expect(world.workers.effects).toEqual(['make swarm-1-researcher', 'give swarm-1-researcher']);
  },
);
