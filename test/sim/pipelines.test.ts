import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import type { Run } from '../../src/workflow/model/run.ts';
import { SqliteRecords } from '../../src/workflow/store/sqlite-records.ts';
import { seededRandom } from '../crash/seeded-random.ts';
import { isFullRun } from '../support/full-run.ts';
import { Laws, states } from './pipelines/laws.ts';
import { MirrorLaw } from './pipelines/mirror-law.ts';
import { randomPipeline } from './pipelines/plan.ts';
import { PipelineWorld } from './pipelines/world.ts';

/** A run takes 50 decisions on average, and a decision a millisecond of processor time with its laws and everything around it. */
const SEEDS = isFullRun ? 5_000 : 150;
const seeds = process.env.LLMC_SEED === undefined ? Array.from({ length: SEEDS }, (_, seed) => seed) : [Number(process.env.LLMC_SEED)];
const MOST_STEPS = 6_000;
/** To write all files at each decision costs as much as the decision. */
const EACH_MIRRORED = 20;

/** Lives one run. Returns it, or what it broke. */
async function live(seed: number): Promise<{ readonly run?: Run; readonly broken?: string; readonly undone: number }> {
  const random = seededRandom(seed);
  const laws = new Laws();
  using database = openDatabase(':memory:');
  const mirror = seed % EACH_MIRRORED === 0 ? new MirrorLaw(new SqliteRecords(database)) : undefined;
  laws.mirror = mirror;
  const world = new PipelineWorld(database, randomPipeline(random), random, laws, mirror?.wrap ?? ((runs) => runs));
  try {
    const run = await world.live(MOST_STEPS);
    laws.ended();
    const hasEnd = ['done', 'failed', 'aborted'].includes(run.status);
    return { run, undone: run.compensations.length, ...(!hasEnd && { broken: `seed ${seed} has no end: ${states(run)}` }) };
  } catch (error) {
    return { undone: 0, broken: `seed ${seed}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

test(`${SEEDS} random pipelines with failures, answers, silences, interrupts and killed engines keep every law`, async () => {
  const ends = new Map<string, number>();
  const broken: string[] = [];
  let undone = 0;
  for (const seed of seeds) {
    const life = await live(seed);
    if (life.broken !== undefined) broken.push(life.broken);
    if (life.run !== undefined) ends.set(life.run.status, (ends.get(life.run.status) ?? 0) + 1);
    undone += life.undone;
  }
  expect(broken).toEqual([]);
  if (seeds.length < SEEDS) return;
  // Every way to end occurs, and much is undone, so the laws mean something.
  expect([...ends.keys()].toSorted()).toEqual(['aborted', 'done', 'failed']);
  expect(undone).toBeGreaterThan(SEEDS / 5);
});
