import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AFTER_FAILURE_PROMPT } from '../support/prompts.ts';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';
import { CONTEXT_FULL, type Step } from './responses-steps.ts';

const error = (status: number, body: Readonly<Record<string, unknown>>): Step => ({ kind: 'error', status, error: body });
const CONFIG = '[recovery]\nfailed_turn_backoff_secs = [3]\nbackoff_jitter = 0\ncontext_full = "compact"\n';
const once = ['-c', 'model_providers.scripted.request_max_retries=0', '-c', 'model_providers.scripted.stream_max_retries=0'];

describe.skipIf(program === undefined)('the real Codex on the keyboard channel, with errors of its API', () => {
  let opening: Promise<CodexWorld>;
  let world: CodexWorld;
  beforeAll(async () => {
    opening = codexWorld({ workers: ['busy', 'cut', 'full', 'stranger', 'broke', 'still'], channel: 'typing', args: once, config: CONFIG });
    world = await opening;
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const start = (worker: string) => world.ok('start', '--worker', worker, '--prompt', 'Do it');

  test.concurrent('500 is a failure of the service, and llmc continues the task once, by itself', async () => {
    world.script('busy', error(500, { message: 'scripted' }));
    await start('busy');
    await world.reaches('busy', 'needs_input');
    expect(await world.ok('why', 'busy', '--full')).toMatch(/failed turn \(the service failed\), continues at .*high demand/);
    expect(world.received('busy')).toEqual([expect.stringContaining('Do it'), AFTER_FAILURE_PROMPT]);
    expect((await world.worker('busy')).attention_kind).toBe('no_commit');
  });

  test.concurrent('a stream that breaks is continued once', async () => {
    world.script('cut', { kind: 'cut', text: 'I beg' }, { kind: 'text', text: 'Here I am again.' });
    await start('cut');
    await world.reaches('cut', 'needs_input');
    expect(await world.ok('why', 'cut', '--full')).toMatch(/failed turn \(the network failed\), continues at .*attempt 1 of 1/);
    expect(world.received('cut')).toEqual([expect.stringContaining('Do it'), AFTER_FAILURE_PROMPT]);
  });

  test.concurrent('a full conversation is compacted by Codex and continued, where config.toml says so', async () => {
    world.script('full', CONTEXT_FULL, { kind: 'text', text: 'Nothing is done yet.' }, { kind: 'text', text: 'Here I am again.' });
    await start('full');
    await world.reaches('full', 'needs_input');
    expect(world.deliveries('full')).toMatchObject([
      { purpose: 'task', attempt: 1 },
      { purpose: 'continue', state: 'done', attempt: 1 },
    ]);
    expect(world.received('full').at(-1)).toContain(AFTER_FAILURE_PROMPT);
    // The second request made the summary.
    expect(world.api.requests('full')).toHaveLength(3);
    expect(JSON.stringify(world.requests('full').at(-1)?.body)).toContain('Nothing is done yet.');
    expect((await world.worker('full')).attention_kind).toBe('no_commit');
  });

  test.concurrent('401 and an empty account need a person', async () => {
    world.script('stranger', error(401, { message: 'Incorrect API key provided' }));
    world.script('broke', error(429, { type: 'insufficient_quota', code: 'insufficient_quota', message: 'no money' }));
    await Promise.all([start('stranger'), start('broke')]);
    await world.reaches('stranger', 'error');
    expect((await world.worker('stranger')).attention).toMatch(/authentication.*401/is);
    await world.reaches('broke', 'error');
    expect((await world.worker('broke')).attention).toMatch(/Quota exceeded/);
  });

  test.concurrent('a stream that stalls counts as work in progress, not as a finished turn', async () => {
    const { promise: finish, resolve: release } = Promise.withResolvers<void>();
    world.script('still', { kind: 'text', text: 'I begin', finish });
    await start('still');
    await world.shows('still', 'I begin');
    await world.ok('message', 'still', 'Are you there?');
    // While the others fail for good, this worker keeps working and nothing is typed into it.
    await world.reaches('broke', 'error');
    await world.reaches('stranger', 'error');
    expect(await world.worker('still')).toMatchObject({ status: 'working', activity: { kind: 'processing' }, delivery: { state: 'held' } });
    expect(world.api.requests('still')).toHaveLength(1);
    release();
    await world.until('both turns to end', () => world.deliveries('still').every(({ state }) => state === 'done'));
    expect(world.received('still')).toEqual([expect.stringContaining('Do it'), 'Are you there?']);
  });
});

// Needs a separate world: a limit belongs to the account, and every worker on it waits.
test.skipIf(program === undefined)(
  'a usage limit of the real Codex on the keyboard channel is reported as a limit, and the task is not sent again',
  async () => {
    await using world = await codexWorld({ workers: ['limit'], channel: 'typing', args: once });
    const resets = Math.ceil(Date.now() / 60_000) * 60 + 2 * 86_400;
    world.script('limit', error(429, { type: 'usage_limit_reached', plan_type: 'plus', message: 'limit', resets_at: resets }));
    await world.ok('start', '--worker', 'limit', '--prompt', 'Do it');
    await world.until('the limit to be reported', async () => (await world.worker('limit')).activity.kind === 'waiting_limit');
    expect(await world.ok('why', 'limit', '--full')).toContain('the turn ended at the usage limit');
    expect(world.deliveries('limit')).toMatchObject([{ attempt: 1 }]);
  },
);
