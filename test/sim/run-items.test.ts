import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import type { Plan } from '../../src/workflow/definition/plan.ts';
import type { Run } from '../../src/workflow/model/run.ts';
import { forEach, POLICY, review, swarmPlan, work } from '../../src/workflow/next/samples.ts';
import { SqliteRuns } from '../../src/workflow/store/sqlite-runs.ts';
import { seededRandom } from '../crash/seeded-random.ts';
import { isFullRun } from '../support/full-run.ts';
import { RunWorld } from './run-world.ts';

/** A run takes a third of a second on a quiet machine. */
const SEEDS = isFullRun ? 300 : 30;
const seeds = process.env.LLMC_SEED === undefined ? Array.from({ length: SEEDS }, (_, seed) => seed) : [Number(process.env.LLMC_SEED)];
const MOST_STEPS = 20_000;
const WINDOW = 3;

const LIST = [{ id: 'a' }, { id: 'b', after: 'a' }, { id: 'c' }, { id: 'd' }, { id: 'e', after: ['c', 'd'] }, { id: 'f' }];

const BREAKERS = (['ask', 'skip', 'partial', undefined] as const).map(
  (whenOpen) =>
    whenOpen && { scope: 'stage' as const, failures: 2, retryAfterMs: 600_000, whenOpen, default: undefined, afterMs: undefined },
);

/** Stories that are written, reviewed and landed; then one summary. */
function storiesPlan(seed: number): Plan {
  const land = swarmPlan().stages.find(({ kind }) => kind === 'land');
  if (land?.kind !== 'land') throw new Error('the sample has a landing');
  const stages = [
    work('develop', 'developer'),
    review('review', 'develop', { circuitBreaker: BREAKERS[seed % BREAKERS.length] }),
    { ...land, id: 'land', of: 'develop', needs: ['review'] },
  ];
  return {
    ...swarmPlan(),
    stages: [
      forEach('stories', stages, { key: 'id', after: 'after', maxParallel: WINDOW, require: { done: { min: 1 } } }),
      work('summary', 'researcher', { needs: ['stories'] }),
    ],
  };
}

test(`${SEEDS} runs with items, killed engines, repeated and reordered events, and agents that do anything`, async () => {
  const ends = new Map<string, number>();
  for (const seed of seeds) {
    const about = `seed ${seed}`;
    const database = openDatabase(':memory:');
    const world = new RunWorld(database, storiesPlan(seed), seededRandom(seed), seed % 3 === 0 ? 'developer' : undefined, { list: LIST });
    const { run, versions, performed, lost, mostOpen } = await world.live(MOST_STEPS);
    expect({ about, status: run.status }).not.toEqual({ about, status: 'running' });
    expect(versions, about).toEqual(versions.map((_, index) => index + 1));
    expect(lost, about).toEqual([]);
    expect(mostOpen.get('stories') ?? 0, about).toBeLessThanOrEqual(WINDOW);
    const landings = [...performed.values()].filter(({ task }) => task.kind === 'land').map(({ step }) => step);
    expect(landings, about).toEqual([...new Set(landings)]);
    checkItems(run, about);
    // What a new process reads is what the decisions left.
    expect(await new SqliteRuns(database).load(run.id), about).toEqual(run);
    ends.set(run.status, (ends.get(run.status) ?? 0) + 1);
  }
  expect([...ends.keys()].toSorted()).toEqual(['aborted', 'done', 'failed']);
});

function checkItems({ status, steps }: Run, about: string): void {
  const items = Object.values(steps).flatMap(({ item, state }) => (item === null ? [] : [{ ...item, state: state.kind }]));
  if (status === 'done')
    expect(
      items.every(({ state }) => ['done', 'failed', 'skipped'].includes(state)),
      about,
    ).toBe(true);
  for (const { key, after, state, recoveries } of items) {
    expect(recoveries, `${about} ${key}`).toBeLessThanOrEqual(POLICY.limits.inTotal);
    const needed = items.filter((other) => after.includes(other.key)).map((other) => other.state);
    if (state === 'done')
      expect(
        needed.every((other) => other === 'done'),
        `${about} ${key}`,
      ).toBe(true);
    if (state === 'done') expect(steps[`land/${key}`]?.state.kind, `${about} ${key}`).toBe('done');
  }
}
