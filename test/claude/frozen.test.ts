import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOfThisRun } from '../support/full-run.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

/** Between the paste and the Enter there is time enough to stop the agent. */
const SLOW_ENTER = '[delivery]\ndebounce_base_ms = 1500';
/** While it is queued nothing was typed yet, and once it is acknowledged nothing more is: the others have both. */
const STEPS = rowsOfThisRun(['queued', 'typed', 'submitted', 'acked'] as const, (step) => step === 'typed' || step === 'submitted');
/** The other times repeat what these show: 10 s is longer than llmc waits before it corrects a paste or gives an Enter up. */
const FREEZES_MS = rowsOfThisRun([5_000, 10_000, 20_000, 40_000], (ms) => ms === 10_000);

describe.skipIf(program === undefined)('a prompt for a Claude Code that is disturbed on the way', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  beforeAll(async () => {
    opening = claudeWorld({ workers: [...STEPS, 'person'], config: SLOW_ENTER });
    world = await opening;
  });
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const pidOf = async (worker: string) => Number(await world.tmux('display-message', '-p', '-t', `=llmc-${worker}:`, '#{pane_pid}'));
  const passed = (ms: number) => {
    const end = performance.now() + ms;
    return world.until(`${ms} ms to pass`, () => performance.now() >= end);
  };

  test.concurrent.for(STEPS)('is taken once, when the process is stopped while the prompt is %s', async (step) => {
    await world.ok('start', '--worker', step, '--prompt', 'the first', '--timeout', '120s');
    await world.until('the first turn to be over', () => world.deliveries(step).every(({ state }) => state === 'done'));
    const pid = await pidOf(step);
    for (const ms of FREEZES_MS) {
      const text = `after ${ms} ms`;
      if (step === 'queued') process.kill(pid, 'SIGSTOP');
      const sending = world.run(['message', step, text, '--timeout', '120s']);
      await world.until(`the prompt to be ${step}`, () => {
        const row = world.deliveries(step).find((each) => each.text === text);
        return row !== undefined && (step === 'queued' || row.state === step || row.state === 'done');
      });
      if (step !== 'queued') process.kill(pid, 'SIGSTOP');
      await passed(ms);
      process.kill(pid, 'SIGCONT');
      await sending;
      await world.until(`the turn of "${text}" to be over`, () => world.deliveries(step).every(({ state }) => /done|failed/.test(state)));
      const row = world.deliveries(step).find((each) => each.text === text);
      expect(row, await world.story(step)).toMatchObject({ state: 'done', ack_source: 'hook', attempt: 1 });
    }
    const texts = world.received(step).map((text) => text.replace(/.*\n## Task\n\n/s, ''));
    expect(texts, await world.story(step)).toEqual(['the first', ...FREEZES_MS.map((ms) => `after ${ms} ms`)]);
  });

  test.concurrent('is taken once, together with what a person typed behind it', async () => {
    await world.ok('start', '--worker', 'person', '--prompt', 'the first', '--timeout', '120s');
    await world.until('the first turn to be over', () => world.deliveries('person').every(({ state }) => state === 'done'));
    const sending = world.ok('message', 'person', 'the second', '--timeout', '120s');
    await world.shows('person', 'the second');
    await world.type('person', ' and more');
    await world.shows('person', 'the second and more');
    await world.keys('person', 'Enter');
    await sending;
    await world.until('the second turn to be over', () => world.deliveries('person').every(({ state }) => state === 'done'));
    expect(world.received('person').slice(1), await world.story('person')).toEqual(['the second and more']);
    expect(world.deliveries('person')[1]).toMatchObject({ attempt: 1, changes: [expect.stringContaining('a person typed')] });
  });
});
