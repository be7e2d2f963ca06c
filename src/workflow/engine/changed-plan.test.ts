import { expect, test } from 'vitest';
import type { FaultPoint } from '../../base/fault.ts';
import type { Stage } from '../definition/plan.ts';
import { swarmPlan } from '../next/samples.ts';
import { EngineWorld } from './samples.ts';

const changed = swarmPlan((stages) =>
  stages.map(
    (stage): Stage => (stage.kind === 'work' && stage.id === 'develop' ? { ...stage, prompt: 'In another way.', digest: 'e' } : stage),
  ),
);

/** Where the engine can end while it takes up the changed workflow: the numbers count from the resumption on. */
const KILLS: readonly (readonly [FaultPoint, number])[] = [
  ['run:before-commit', 1],
  ['run:after-commit', 1],
  ['run:after-claim', 1],
  ['run:before-perform', 1],
  ['run:after-perform', 1],
  ['run:after-perform', 2],
  ['run:after-settle', 1],
  ['attempt:after-make', 1],
  ['attempt:after-exchange', 1],
];

test.each(KILLS)('a changed workflow is taken once, also if llmc is killed at %s, time %i', async (point, nth) => {
  using world = new EngineWorld();
  await world.begin('swarm-1');
  while ((await world.load('swarm-1')).steps.develop?.state.kind !== 'done') await world.round();
  await world.post('swarm-1', 'pause', { kind: 'pause', now: true });
  while ((await world.load('swarm-1')).status !== 'paused') await world.round();
  await world.post('swarm-1', 'resume', { kind: 'resume', how: { kind: 'changed', plan: { ...changed, digest: 'other' } } });
  world.killAt(point, nth);
  const [run] = await world.untilEnded('swarm-1');
  expect(world.kills).toBe(1);
  expect(run).toMatchObject({ status: 'done', plan: { digest: 'other' }, recoveries: 0 });
  expect(run?.compensations).toMatchObject([{ stage: 'develop', number: 1 }]);
  expect(world.turns.get('swarm-1-researcher')).toBe(1);
  expect(world.workers.effects.filter((effect) => effect.startsWith('offer'))).toHaveLength(1);
  expect(world.database.prepare('SELECT run, digest FROM run_plans').all()).toEqual([{ run: 'swarm-1', digest: 'd' }]);
});
