import { expect, test } from 'vitest';
import { expectFinishedOnce, expectLandedOnce } from './story.ts';
import { crashWorld } from './world.ts';

const TASKS: Readonly<Record<string, string>> = { adam: 'Write about apples', baker: 'Write about bread', charlie: 'Write about cheese' };
/** About as many changes as three tasks make from the first prompt to the last review. */
const CHANGES = 20;
const LONGEST_PAUSE_MS = 120;

// A number of the story (mulberry32), so that a seed that fails can be tried again.
function randomOf(seed: number): () => number {
  let state = seed * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

test.concurrent.for(seeds)('a supervisor killed at a random moment of three tasks (seed %i): each is done once', async (seed) => {
  const random = randomOf(seed);
  await using world = await crashWorld(Object.keys(TASKS));
  expect(await world.up()).toMatchObject({ status: 0 });
  const moment = { revision: world.state().revision + Math.floor(random() * CHANGES), pauseMs: random() * LONGEST_PAUSE_MS };
  const killed = world.killSupervisorAt(moment, () => Object.keys(TASKS).every((name) => world.worker(name).status === 'needs_review'));
  const given = await Promise.all(Object.entries(TASKS).map(([name, task]) => world.llmc(['start', '--worker', name, '--prompt', task])));
  await killed;

  expect(await world.up()).toMatchObject({ status: 0 });
  for (const [index, [name, task]] of Object.entries(TASKS).entries()) {
    const written = world.rows('SELECT id FROM deliveries WHERE worker = ?', name).length === 1;
    if (!written) {
      expect(given[index]).toMatchObject({ status: 2 });
      await world.must(['start', '--worker', name, '--prompt', task]);
    }
  }
  for (const [name, task] of Object.entries(TASKS)) {
    await world.reaches(name, 'needs_review');
    expectFinishedOnce(world, name, task);
  }
  for (const name of Object.keys(TASKS)) await world.must(['accept', name]);
  await expectLandedOnce(world, TASKS);
});
