import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { seededRandom } from './seeded-random.ts';
import { type CrashWorld, crashWorld } from './world.ts';

const WORKERS = ['adam', 'baker', 'charlie'];
/** About the number of changes of three tasks, from the first prompt to the last review. */
const CHANGES = 22;
const LONGEST_PAUSE_MS = 120;
/** The first round begins with empty conversations; the later rounds clear one first. */
const ROUNDS = isFullRun ? [1, 2, 3, 4, 5] : [1, 2, 3];

const taskOf = (worker: string, round: number): string => `Write about the ${worker} of day ${round}`;

async function expectDoneOnce(world: CrashWorld, worker: string, rounds: readonly number[]): Promise<void> {
  const tasks = rounds.map((round) => taskOf(worker, round));
  const taken = world.promptsTaken(worker);
  expect(taken).toHaveLength(tasks.length);
  for (const task of tasks) expect(taken.filter((prompt) => prompt.includes(task))).toHaveLength(1);
  const deliveries = world.rows('SELECT state FROM deliveries WHERE worker = ?', worker);
  expect(deliveries).toEqual(tasks.map(() => ({ state: 'done' })));
}

/** Each seed plays its rounds with one kill in each; the full run has more of both. */
const SEEDS = isFullRun ? [1, 2, 3, 4, 5, 6, 7, 8] : [1];

test.concurrent.for(SEEDS)(
  'a supervisor killed at random moments of three tasks (seed %i): each is done once',
  { timeout: 600_000 },
  async (seed, { signal }) => {
    const random = seededRandom(seed);
    await using world = await crashWorld(WORKERS, signal);
    expect(await world.up()).toMatchObject({ status: 0 });
    for (const round of ROUNDS) {
      const moment = { changes: world.changes() + Math.floor(random() * CHANGES), pauseMs: random() * LONGEST_PAUSE_MS };
      const killed = world.killSupervisorAt(moment, () => WORKERS.every((name) => world.worker(name).status === 'needs_review'));
      const given = WORKERS.map((name) => world.llmc(['start', '--worker', name, '--prompt', taskOf(name, round)]));
      const [answers] = await Promise.all([Promise.all(given), killed]);

      expect(await world.up()).toMatchObject({ status: 0 });
      for (const [index, name] of WORKERS.entries()) {
        if (world.rows('SELECT id FROM deliveries WHERE worker = ?', name).length === round) continue;
        expect(answers[index]).toMatchObject({ status: 2 });
        await world.must(['start', '--worker', name, '--prompt', taskOf(name, round)]);
      }
      for (const name of WORKERS) {
        await world.reaches(name, 'needs_review');
        await expectDoneOnce(world, name, ROUNDS.slice(0, round));
        await world.must(['accept', name]);
      }
    }
    const subjects = (await world.repo.run(['log', '--format=%s', 'main'])).split('\n');
    expect(subjects.toSorted()).toEqual(['Begin', ...WORKERS.flatMap((name) => ROUNDS.map((round) => taskOf(name, round)))].toSorted());
    expect(world.rows("SELECT id FROM landings WHERE phase <> 'settled' OR outcome <> 'landed'")).toEqual([]);
  },
);
