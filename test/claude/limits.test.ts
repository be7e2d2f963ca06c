import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AFTER_LIMIT_PROMPT } from '../support/prompts.ts';
import type { Step } from './api-steps.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

/** Claude Code 2.1.325 reports the end of a limit to the minute, and llmc waits until that minute is over: no limit is shorter. */
const MINUTE_MS = 60_000;
/** The first full minute that leaves time to hit the limit and to observe every worker while it lasts, even on a slow machine. */
const soon = () => Math.ceil((Date.now() + MINUTE_MS / 2) / MINUTE_MS) * MINUTE_MS;

function limitUntil(resetsAt: number): Step {
  const claim = 'anthropic-ratelimit-unified';
  const reset = String(resetsAt / 1_000);
  const headers = {
    [`${claim}-status`]: 'rejected',
    [`${claim}-reset`]: reset,
    'retry-after': '60',
    [`${claim}-representative-claim`]: 'five_hour',
    [`${claim}-5h-status`]: 'rejected',
    [`${claim}-5h-reset`]: reset,
  };
  return { kind: 'error', status: 429, type: 'rate_limit_error', message: 'Too much.', headers };
}

/** Two workers share an account; the third has its own. */
async function world(): Promise<ClaudeWorld> {
  const made = await claudeWorld({ workers: ['adam', 'baker'], oauth: true, stage: 'root' });
  const env = `{ ANTHROPIC_BASE_URL = ${JSON.stringify(made.api.urlFor('eve'))} }`;
  appendFileSync(join(made.root, 'config.toml'), `\n[agents.apart]\nextends = "claude"\naccount = "apart"\nenv = ${env}\n`);
  await made.ok('add', 'eve', '--agent', 'apart');
  await made.up();
  return made;
}

describe.skipIf(program === undefined)('the usage limit of a subscription', () => {
  test('parks the account of the real Claude Code, leaves the other one working, and ends with one prompt to continue', {
    timeout: 600_000,
  }, async () => {
    await using made = await world();
    const resetsAt = soon();
    made.script('adam', limitUntil(resetsAt), { kind: 'text', text: 'I went on.' });
    await made.ok('start', '--worker', 'adam', '--prompt', 'Do it');
    await made.until('the account to be parked', async () => (await made.status()).limits.length > 0);
    expect((await made.status()).limits).toMatchObject([{ account: 'claude', worker: 'adam', until_unix: resetsAt / 1_000 + 60 }]);
    expect(await made.ok('message', 'baker', 'Hello')).toContain('waiting for the usage limit of claude until');
    await made.ok('start', '--worker', 'eve', '--prompt', 'Not my limit');
    await made.reaches('eve', 'needs_input');
    expect(made.received('eve')).toEqual([expect.stringContaining('Not my limit')]);
    expect(await made.worker('adam')).toMatchObject({ status: 'working', activity: { kind: 'waiting_limit' }, attention: null });
    expect(made.requests('adam')).toHaveLength(1);
    expect(made.requests('baker')).toHaveLength(0);

    await made.until('the limit to be over', () => made.requests('adam').length > 1, 5 * MINUTE_MS);
    expect(Date.now()).toBeGreaterThanOrEqual(resetsAt + MINUTE_MS);
    await made.reaches('adam', 'needs_input');
    await made.until('the message to arrive', () => made.deliveries('baker').every(({ state }) => state === 'done'));
    expect(made.received('adam'), await made.story('adam')).toEqual([expect.stringContaining('Do it'), AFTER_LIMIT_PROMPT]);
    expect(made.received('baker')).toEqual(['Hello']);
    expect((await made.status()).limits).toEqual([]);
  });
});
