import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import type { Run } from '../../src/workflow/model/run.ts';
import { swarmPlan } from '../../src/workflow/next/samples.ts';
import { seededRandom } from '../crash/seeded-random.ts';
import { isFullRun } from '../support/full-run.ts';
import { RunWorld } from './run-world.ts';

const SEEDS = isFullRun ? 100 : 40;
const MOST_STEPS = 5_000;
const MOST_RECOVERIES = 4;

const done = ({ steps }: Run) => Object.values(steps).filter(({ state }) => state.kind === 'done');

test(`${SEEDS} runs that ended are recovered: nothing that was done is done again, and each ends`, async () => {
  const seen = { recovered: 0, doneAtLast: 0 };
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const about = `seed ${seed}`;
    const random = seededRandom(seed);
    const world = new RunWorld(openDatabase(':memory:'), swarmPlan(), random);
    let outcome = await world.live(MOST_STEPS * random() ** 4);
    for (let recoveries = 0; recoveries < MOST_RECOVERIES && outcome.run.status !== 'done'; recoveries += 1) {
      await world.abort();
      const before = await world.settle();
      if (!(await world.recover())) break;
      const after = await world.settle();
      expect({ about, status: after.status }).toEqual({ about, status: 'running' });
      for (const { address, result } of done(before)) expect(after.steps[address]?.result, about).toEqual(result);
      expect(after.version, about).toBeGreaterThan(before.version);
      seen.recovered += 1;
      outcome = await world.live(recoveries === MOST_RECOVERIES - 1 ? MOST_STEPS : 300 * random());
      if (recoveries === MOST_RECOVERIES - 1) expect({ about, status: outcome.run.status }).not.toEqual({ about, status: 'running' });
      expect(outcome.lost, about).toEqual([]);
      expect(outcome.versions, about).toEqual(outcome.versions.map((_, index) => index + 1));
    }
    if (outcome.run.status === 'done') seen.doneAtLast += 1;
  }
  expect(seen.recovered).toBeGreaterThan(SEEDS);
  expect(seen.doneAtLast).toBeGreaterThan(SEEDS / 2);
});
