import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AFTER_FAILURE_PROMPT } from '../support/prompts.ts';
import type { Step } from './api-steps.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

const error = (status: number, type: string, message: string) => ({ kind: 'error', status, type, message }) satisfies Step;
const OVERLOADED = error(529, 'overloaded_error', 'Overloaded');
const REFUSED = error(401, 'authentication_error', 'invalid x-api-key');

describe.skipIf(program === undefined)('errors between Claude Code and its API', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  beforeAll(async () => {
    opening = claudeWorld({
      workers: ['busy', 'stranger', 'broke', 'still', 'full'],
      env: { CLAUDE_CODE_MAX_RETRIES: '2' },
      config: '[recovery]\nfailed_turn_backoff_secs = [3]\nbackoff_jitter = 0\ncontext_full = "compact"\n',
    });
    world = await opening;
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const start = (worker: string) => world.ok('start', '--worker', worker, '--prompt', 'Do it');

  test.concurrent('529 shows as a retry; after the last retry llmc continues the task once, by itself', async () => {
    const seen = Promise.withResolvers<void>();
    // Both status and why have to observe the retry, and the turn must not fail before they have.
    const [first, second] = [
      { ...OVERLOADED, headers: { 'retry-after': '15' } },
      { ...OVERLOADED, after: seen.promise },
    ];
    world.script('busy', first, second, OVERLOADED, { kind: 'text', text: 'Here I am again.' });
    await start('busy');
    await world.until('the retry to be reported', async () => /retrying/i.test(await world.ok('why', 'busy')));
    expect(await world.worker('busy')).toMatchObject({ status: 'working', activity: { kind: 'processing' } });
    seen.resolve();
    await world.reaches('busy', 'needs_input');
    expect(await world.ok('why', 'busy', '--full')).toMatch(/failed turn \(the service is overloaded\), continues at .*attempt 1 of 1/);
    expect(world.received('busy').slice(3)).toEqual([AFTER_FAILURE_PROMPT]);
    const [task, goOn, ...more] = world.deliveries('busy');
    expect([task, goOn, ...more]).toMatchObject([{ purpose: 'task' }, { purpose: 'continue', state: 'done' }]);
    // The CLI had given up its own retries by then.
    expect(world.requests('busy')).toHaveLength(4);
    expect((await world.worker('busy')).attention_kind).toBe('no_commit');
  });

  test.concurrent('401 needs a person, and the reason is authentication', async () => {
    world.script('stranger', REFUSED, REFUSED, REFUSED);
    await start('stranger');
    await world.reaches('stranger', 'error');
    const { attention, activity } = await world.worker('stranger');
    expect(attention).toMatch(/authentication/i);
    expect(attention).toMatch(/Invalid API key/);
    expect(activity.kind).toBe('error');
  });

  test.concurrent('an empty account needs a person', async () => {
    world.script('broke', error(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'));
    await start('broke');
    await world.reaches('broke', 'error');
    expect((await world.worker('broke')).attention).toMatch(/Credit balance/i);
    expect(world.requests('broke')).toHaveLength(1);
  });

  test.concurrent('a full conversation is compacted by the CLI and continued, where config.toml says so', async () => {
    const full = error(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum');
    world.script(
      'full',
      full,
      { kind: 'text', text: '<summary>Nothing is done yet.</summary>' },
      { kind: 'text', text: 'Here I am again.' },
    );
    await start('full');
    await world.reaches('full', 'needs_input');
    expect(world.deliveries('full')).toMatchObject([
      { purpose: 'task', state: 'done' },
      { purpose: 'compact', state: 'done', attempt: 1 },
      { purpose: 'continue', state: 'done', attempt: 1 },
    ]);
    expect(world.received('full').at(-1)).toBe(AFTER_FAILURE_PROMPT);
    expect((await world.worker('full')).attention_kind).toBe('no_commit');
  });

  test.concurrent('a stream that stalls counts as work in progress, not as a finished turn', async () => {
    let release = () => {};
    const finish = new Promise<void>((resolve) => {
      release = resolve;
    });
    world.script('still', { kind: 'text', text: 'I begin', finish });
    await start('still');
    await world.shows('still', 'I begin');
    await world.ok('message', 'still', 'Are you there?');
    // While the others fail for good, this worker keeps working and nothing is typed into it.
    await world.reaches('broke', 'error');
    await world.reaches('stranger', 'error');
    expect(await world.worker('still')).toMatchObject({ status: 'working', activity: { kind: 'processing' }, delivery: { state: 'held' } });
    expect(world.requests('still')).toHaveLength(1);
    release();
    await world.until('both turns to end', () => world.deliveries('still').every(({ state }) => state === 'done'));
    expect(world.received('still')).toEqual([expect.stringContaining('Do it'), 'Are you there?']);
  });
});
