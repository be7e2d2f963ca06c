import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FaultPoint } from '../../base/fault.ts';
import { EngineWorld } from './samples.ts';

/** How often the engine reaches the point in one swarm with one remark; it is killed at the first, a middle and the last time. */
const POINTS: readonly (readonly [FaultPoint, ...number[]])[] = [
  ['relay:after-post', 1, 4, 8],
  ['run:before-commit', 1, 5, 17],
  ['run:after-commit', 1, 5, 17],
  ['run:after-claim', 1, 4, 9],
  ['run:before-perform', 1, 4, 9],
  ['run:after-perform', 1, 4, 9],
  ['run:after-post', 1, 4, 9],
  ['run:after-settle', 1, 4, 9],
  ['attempt:after-make', 1, 2, 4],
  ['attempt:after-exchange', 1, 2, 4],
  ['dismiss:before-remove', 1, 2, 3],
  ['collect:before-ref', 1, 2],
  ['collect:before-store', 1, 2, 3],
  ['collect:after-store', 1, 2, 3],
];

describe('an engine that is killed', () => {
  test.each(POINTS.flatMap(([point, ...times]) => times.map((nth) => [point, nth] as const)))(
    'at %s, time %i, loses and repeats nothing',
    async (point, nth) => {
      using world = new EngineWorld();
      await world.begin('swarm-1');
      world.killAt(point, nth);
      const [run] = await world.untilEnded('swarm-1');
      await world.untilSettled();
      expect(world.kills).toBe(1);
      expect(run).toMatchObject({ status: 'done', level: 'full', recoveries: 0 });
      expect(world.workers.effects.filter((effect) => !effect.startsWith('rest')).toSorted()).toEqual(EFFECTS);
      expect(Object.fromEntries(world.turns)).toEqual({ 'swarm-1-researcher': 1, 'swarm-1-developer': 2, 'swarm-1-reviewer': 2 });
      expect(run?.steps.land?.result?.commit).toBe('main-1');
      const findings = run?.steps.research?.result?.artifacts['findings.md'];
      expect(existsSync(join(world.folder, 'runs/swarm-1', findings?.path ?? 'missing'))).toBe(true);
      expect([...world.workers.workers.keys()]).toEqual([]);
      expect(world.said).toEqual([]);
    },
  );
});

const EFFECTS = [
  'dismiss swarm-1-developer',
  'dismiss swarm-1-researcher',
  'dismiss swarm-1-reviewer',
  'follow up swarm-1-developer',
  'give swarm-1-developer',
  'give swarm-1-researcher',
  'give swarm-1-reviewer',
  'give swarm-1-reviewer',
  'make swarm-1-developer',
  'make swarm-1-researcher',
  'make swarm-1-reviewer',
  'offer swarm-1-developer',
];
