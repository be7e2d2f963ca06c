import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { AFTER_LIMIT_PROMPT } from '../support/prompts.ts';
import { simulate } from './limit-world.ts';

const WORKERS = 14;
const TASKS = 2;
const LONGEST_MS = 72 * 3_600_000;

// LLMC_SEED=7 npx vitest run test/sim/limits.test.ts repeats one seed.
const seeds = process.env.LLMC_SEED === undefined ? (isFullRun ? [1, 2, 3, 4] : [1, 2]) : [Number(process.env.LLMC_SEED)];

test.each(seeds)(
  'seed %i: through many limits no prompt is lost or doubled, none is sent to a parked account, and every worker continues in its turn',
  async (seed) => {
    const { wrongs, received, strikes } = await simulate(seed, WORKERS, TASKS, LONGEST_MS);
    expect(wrongs).toEqual([]);
    expect(strikes).toBeGreaterThan(5);
    for (const [name, prompts] of received) {
      const tasks = prompts.filter((prompt) => prompt.startsWith('task'));
      expect(tasks).toEqual(Array.from({ length: TASKS }, (_, index) => `task ${index} of ${name}`));
      const unique = prompts.filter((prompt) => prompt !== AFTER_LIMIT_PROMPT);
      expect(new Set(unique).size).toBe(unique.length);
    }
  },
);
