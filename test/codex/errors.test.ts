import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOfThisRun, testOfFullRun } from '../support/full-run.ts';
import { AFTER_FAILURE_PROMPT } from '../support/prompts.ts';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';
import { CONTEXT_FULL, type Step, usageLimit } from './responses-steps.ts';

const CONFIG = '[recovery]\nfailed_turn_backoff_secs = [3]\nbackoff_jitter = 0\ncontext_full = "compact"\n';
const refused = (status: number, message: string) => ({ kind: 'error', status, error: { message } }) satisfies Step;

const WORKERS = ['broken', 'cut', 'full', 'stranger', 'broke', 'still'];

describe.skipIf(program === undefined)('errors between Codex and its API', () => {
  let opening: Promise<CodexWorld>;
  let world: CodexWorld;
  beforeAll(async () => {
    const retries = ['request_max_retries', 'stream_max_retries'].flatMap((name) => ['-c', `model_providers.scripted.${name}=1`]);
    opening = codexWorld({
      workers: rowsOfThisRun(WORKERS, (name) => name !== 'stranger' && name !== 'still'),
      args: retries,
      config: CONFIG,
    });
    world = await opening;
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const start = (worker: string) => world.ok('start', '--worker', worker, '--prompt', 'Do it');
  const settled = async (worker: string) =>
    await world.until(`${worker} to be done`, () => world.deliveries(worker).every(({ state }) => state === 'done'));

  test.concurrent('500 shows as a retry; after the last retry llmc continues the task once, by itself', async () => {
    const after = Promise.withResolvers<void>();
    const failure = refused(500, 'oh');
    world.script('broken', failure, failure, { ...failure, after: after.promise }, failure);
    await start('broken');
    await world.until('the retry to be reported', async () => /retrying/.test(await world.ok('why', 'broken')));
    expect(await world.worker('broken')).toMatchObject({ status: 'working', activity: { kind: 'processing' } });
    after.resolve();
    await world.reaches('broken', 'needs_input');
    expect(await world.ok('why', 'broken', '--full')).toMatch(/failed turn \(the service failed\), continues at .*high demand/);
    expect(world.received('broken').at(-1)).toBe(AFTER_FAILURE_PROMPT);
    expect(world.deliveries('broken')).toMatchObject([{ purpose: 'task' }, { purpose: 'continue', state: 'done' }]);
    expect((await world.worker('broken')).attention_kind).toBe('no_commit');
  });

  test.concurrent('a stream that breaks, also when Codex tries again, is continued once', async () => {
    const cut = { kind: 'cut', text: 'I beg' } satisfies Step;
    world.script('cut', cut, cut, { kind: 'text', text: 'Here I am again.' });
    await start('cut');
    await world.reaches('cut', 'needs_input');
    expect(await world.ok('why', 'cut', '--full')).toMatch(/failed turn \(the network failed\), continues at .*attempt 1 of 1/);
    expect(world.deliveries('cut')).toMatchObject([
      { purpose: 'task', attempt: 1 },
      { purpose: 'continue', state: 'done', attempt: 1 },
    ]);
    expect(world.received('cut').at(-1)).toBe(AFTER_FAILURE_PROMPT);
    expect(world.api.requests('cut')).toHaveLength(3);
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

  // In each run in test/claude/errors.test.ts; the empty account below takes the same way.
  testOfFullRun('401 needs a person, and the reason is authentication', async () => {
    world.script('stranger', refused(401, 'bad key'), refused(401, 'bad key'));
    await start('stranger');
    await world.reaches('stranger', 'error');
    const { attention, activity } = await world.worker('stranger');
    expect(attention).toMatch(/authentication failed: .*401 Unauthorized.*bad key/);
    expect(activity.kind).toBe('error');
  });

  test.concurrent('an empty account needs a person', async () => {
    world.script('broke', { kind: 'error', status: 429, error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'x' } });
    await start('broke');
    await world.reaches('broke', 'error');
    expect((await world.worker('broke')).attention).toMatch(/cannot pay: Quota exceeded/);
    expect(world.api.requests('broke')).toHaveLength(1);
  });

  // In each run in test/claude/errors.test.ts.
  testOfFullRun('a stream that stalls counts as work in progress, and a message waits for it', async () => {
    const release = Promise.withResolvers<void>();
    world.script('still', { kind: 'text', text: 'I begin', finish: release.promise });
    await start('still');
    await world.ok('message', 'still', 'Are you there?');
    // While the others fail for good, this worker keeps working and nothing is sent into its turn.
    await world.reaches('broke', 'error');
    await world.reaches('stranger', 'error');
    expect(await world.worker('still')).toMatchObject({ status: 'working', activity: { kind: 'processing' }, delivery: { state: 'held' } });
    release.resolve();
    await settled('still');
    expect(world.received('still')).toEqual([expect.stringContaining('Do it'), 'Are you there?']);
    expect(world.api.requests('still')).toHaveLength(2);
  });
});

test.skipIf(program === undefined)('a usage limit of the real Codex holds a message, and no request is sent', async () => {
  await using world = await codexWorld({ workers: ['limited'] });
  const resetsAt = (Math.floor(Date.now() / 60_000) + 36 * 60) * 60;
  world.script('limited', usageLimit(resetsAt));
  await world.ok('start', '--worker', 'limited', '--prompt', 'Do it');
  await world.until('the limit to be reported', async () => (await world.worker('limited')).activity.kind === 'waiting_limit');
  expect(await world.worker('limited')).toMatchObject({ status: 'working', activity: { source: 'protocol' } });
  await world.ok('message', 'limited', 'Are you there?');
  expect(world.deliveries('limited').at(-1)).toMatchObject({ state: 'held', reason: expect.stringContaining('"usage_limit"') });
  expect(world.api.requests('limited')).toHaveLength(1);
});
