import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import type { Plan } from '../../src/workflow/definition/plan.ts';
import { POLICY, swarmPlan } from '../../src/workflow/next/samples.ts';
import { seededRandom } from '../crash/seeded-random.ts';
import { isFullRun } from '../support/full-run.ts';
import { RunWorld } from './run-world.ts';

const SEEDS = isFullRun ? 500 : 150;
const seeds = process.env.LLMC_SEED === undefined ? Array.from({ length: SEEDS }, (_, seed) => seed) : [Number(process.env.LLMC_SEED)];
const MOST_STEPS = 5_000;

/** Nobody takes over from the developer, and the workflow cannot do without: such a run usually fails. */
const FRAGILE: Plan = {
  ...swarmPlan(),
  roles: Object.fromEntries(Object.entries(swarmPlan().roles).map(([name, role]) => [name, { ...role, fallback: undefined }])),
};

test(`${SEEDS} runs with killed engines, repeated and reordered events, and agents that do anything`, async () => {
  const ends = new Map<string, number>();
  for (const seed of seeds) {
    const fragile = seed % 10 === 9;
    const world = new RunWorld(
      openDatabase(':memory:'),
      fragile ? FRAGILE : swarmPlan(),
      seededRandom(seed),
      fragile ? 'developer' : undefined,
    );
    const { run, versions, landings, lost, mostRecoveries } = await world.live(MOST_STEPS);
    const about = `seed ${seed}`;
    expect({ about, status: run.status }).not.toEqual({ about, status: 'running' });
    expect(versions, about).toEqual(versions.map((_, index) => index + 1));
    expect(landings, about).toBeLessThanOrEqual(1);
    expect(lost, about).toEqual([]);
    expect(mostRecoveries, about).toBeLessThanOrEqual(POLICY.limits.inTotal);
    expect(run.steps.review?.round ?? 1, about).toBeLessThanOrEqual(3);
    if (run.status === 'done') expect(run.steps.land?.state.kind === 'done' ? landings : 1, about).toBe(1);
    ends.set(run.status, (ends.get(run.status) ?? 0) + 1);
  }
  // Every way to end occurs, so the checks above mean something.
  expect([...ends.keys()].toSorted()).toEqual(['aborted', 'done', 'failed']);
});
