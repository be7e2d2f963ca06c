import { describe, expect, test } from 'vitest';
import { testOfFullRun } from '../support/full-run.ts';
import { codexWorld, program } from './llmc-world.ts';

describe.skipIf(program === undefined)('the real Codex after down and up', () => {
  test('down ends servers and viewers; up resumes each conversation where it was', async () => {
    await using world = await codexWorld({ workers: ['adam', 'fresh'] });
    await world.ok('start', '--worker', 'adam', '--prompt', 'The word is BANANA');
    await world.reaches('adam', 'needs_input');
    await world.ok('down');
    await world.until('everything to end', () => world.processes().length === 0);
    expect(await world.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'needs_input' });

    await world.up();
    await world.reaches('adam', 'needs_input');
    await world.ok('message', 'adam', 'What is the word?');
    await world.until('the answer', () => world.deliveries('adam').every(({ state }) => state === 'done'));
    expect(JSON.stringify(world.api.requests('adam').at(-1)?.body.input)).toContain('BANANA');
    expect(world.received('adam')).toEqual([expect.stringMatching(/BANANA$/), 'What is the word?']);
    // A conversation without a prompt begins again, without a trace.
    await world.ok('start', '--worker', 'fresh', '--prompt', 'Begin');
    await world.reaches('fresh', 'needs_input');
    expect(world.received('fresh')).toHaveLength(1);
  });

  // In each run in test/codex/crash.test.ts: killed together with the agent in the middle of a turn.
  testOfFullRun('a turn that was in progress gets a prompt to continue', async () => {
    await using world = await codexWorld({ workers: ['adam'] });
    world.script('adam', { kind: 'stall', text: 'I begin' });
    await world.ok('start', '--worker', 'adam', '--prompt', 'The long way');
    await world.until('the request', () => world.api.requests('adam').length === 1);
    await world.waitForRecord('The long way');
    await world.ok('down');
    await world.until('everything to end', () => world.processes().length === 0);
    await world.up();
    await world.reaches('adam', 'needs_input');
    expect(world.received('adam')).toEqual([expect.stringMatching(/The long way$/), expect.stringContaining('is now resumed')]);
  });
});
