import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { hasEnded } from '../../src/workflow/next/next.ts';
import { POLICY, sectionsPlan, swarmPlan } from '../../src/workflow/next/samples.ts';
import { seededRandom } from '../crash/seeded-random.ts';
import { isFullRun } from '../support/full-run.ts';
import { RunWorld } from './run-world.ts';

const SEEDS = isFullRun ? 500 : 40;
const seeds = process.env.LLMC_SEED === undefined ? Array.from({ length: SEEDS }, (_, seed) => seed) : [Number(process.env.LLMC_SEED)];
const MOST_STEPS = 8_000;

test(`${SEEDS} runs that are paused and resumed at random moments lose nothing and do nothing twice`, async () => {
  let paused = 0;
  for (const seed of seeds) {
    const world = new RunWorld(openDatabase(':memory:'), swarmPlan(), seededRandom(seed));
    world.resumption = () => ({ kind: 'go_on' });
    const { run, landings, lost, inPause, pauses, mostRecoveries } = await world.live(MOST_STEPS);
    const about = `seed ${seed}`;
    expect(hasEnded(run), `${about} is ${run.status}`).toBe(true);
    expect(landings, about).toBeLessThanOrEqual(1);
    expect({ about, lost, inPause }).toEqual({ about, lost: [], inPause: [] });
    expect(mostRecoveries, about).toBeLessThanOrEqual(POLICY.limits.inTotal);
    expect(run.pause, about).toBeNull();
    paused += pauses;
  }
  expect(paused).toBeGreaterThan(SEEDS);
});

test(`${SEEDS} runs with items that are resumed in any way end`, async () => {
  for (const seed of seeds) {
    const random = seededRandom(seed);
    const world = new RunWorld(openDatabase(':memory:'), sectionsPlan(), random);
    const value = { sections: ['s1', 's2', 's3'].map((id) => ({ id, title: id })) };
    world.artifacts = () => ({ 'outline.yaml': { path: 'outline.yaml', sha256: '', value } });
    let choices = 5;
    world.resumption = ({ steps }) => {
      const addresses = Object.keys(steps);
      const address = addresses[Math.floor(random() * addresses.length)] ?? 'outline';
      // A person who begins again for ever never sees an end.
      if (choices === 0 || random() < 0.5) return { kind: 'go_on' };
      choices -= 1;
      return random() < 0.5 ? { kind: 'again', address } : { kind: 'skip_to', stage: random() < 0.5 ? 'sections' : 'draft' };
    };
    const { run, inPause } = await world.live(MOST_STEPS);
    expect({ seed, ended: hasEnded(run), status: run.status, inPause }).toMatchObject({ ended: true, inPause: [] });
  }
});
