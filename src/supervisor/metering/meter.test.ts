import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { noonClock, scratchWork } from '../../../test/support/scratch-work.ts';
import { conversationPath } from '../../agents/claude/transcript.ts';
import { localDay } from '../../base/local-day.ts';
import { spentOn } from '../../store/tables/spending.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import type { WorkContext } from '../../workers/context.ts';
import { aConfig } from '../../workers/samples.ts';
import { aPane, aTmuxWatch, aWatch } from '../samples.ts';
import { Meter } from './meter.ts';

const CONVERSATION = '0000-1111';
const worker = { agent: 'claude', conversation_id: CONVERSATION } as const;

/** A worker of Claude Code with the pid of this process, and a function that writes its transcript. */
async function measured(budget = '', context: Partial<WorkContext> = {}) {
  const home = { dir: '', budget };
  const config = async () => aConfig(`${home.budget}\n[agents.claude]\nenv = { CLAUDE_CONFIG_DIR = ${JSON.stringify(home.dir)} }\n`);
  const work = await scratchWork({ worker, context: { config, processes: systemProcesses, clock: noonClock, ...context } });
  home.dir = `${work.repo.path}/claude`;
  const record = conversationPath({ CLAUDE_CONFIG_DIR: home.dir }, work.worktree, CONVERSATION);
  mkdirSync(dirname(record), { recursive: true });
  const watch = aWatch({ tmux: aTmuxWatch(aPane({ pid: process.pid })) });
  const meter = new Meter(work.context, new Map([['adam', watch]]));
  return {
    meter,
    watch,
    store: work.context.store,
    reply(id: string, tokens: number) {
      const usage = { input_tokens: tokens, output_tokens: 1, cache_read_input_tokens: 7, cache_creation_input_tokens: 3 };
      appendFileSync(record, `${JSON.stringify({ type: 'assistant', message: { id, content: [], usage } })}\n`);
    },
    budget(lines: string) {
      home.budget = lines;
    },
    async sampled() {
      await meter.sample();
      return meter.workerUsageOf('adam');
    },
    [Symbol.asyncDispose]: () => work[Symbol.asyncDispose](),
  };
}

test('processor and memory come from the agent’s process, tokens from its growing transcript', async () => {
  await using at = await measured();
  expect(at.meter.workerUsageOf('adam')).toBeUndefined();
  const first = await at.sampled();
  expect(first).toMatchObject({ cpu_percent: null, tokens: null, context: null, cost_usd: null });
  expect(first?.memory_bytes).toBeGreaterThan(10 * 2 ** 20);
  at.reply('m1', 100);
  expect(await at.sampled()).toMatchObject({
    tokens: { input: 100, output: 1, cache_read: 7, cache_write: 3 },
    context: { tokens: 110, window: null },
    cpu_percent: expect.any(Number),
  });
  at.reply('m1', 100);
  at.reply('m2', 50);
  expect(await at.sampled()).toMatchObject({ tokens: { input: 150, output: 2, cache_read: 14, cache_write: 6 } });
});

test('tokens cost as configured, and count for the day', async () => {
  const prices = '[budget.prices.claude]\ninput = 2\noutput = 1000\ncache_read = 100\ncache_write = 10';
  await using at = await measured(prices);
  at.reply('m1', 100);
  // 100 × 2 + 1 × 1000 + 7 × 100 + 3 × 10 millionths
  expect((await at.sampled())?.cost_usd).toBeCloseTo(0.00193);
  await at.sampled();
  const spent = spentOn(at.store.database, localDay(noonClock.now()));
  expect(spent).toEqual({ tokens: 104, costUsd: expect.closeTo(0.00193) });
});

test('a used-up budget is reported once, and so is its end', async () => {
  await using at = await measured('[budget]\ntokens_per_day = 150');
  const summaries = () =>
    at.store.database
      .prepare("SELECT summary FROM history WHERE kind = 'budget' ORDER BY seq DESC")
      .all()
      .map(({ summary }) => summary);
  at.reply('m1', 100);
  await at.sampled();
  expect(summaries()).toEqual([]);
  at.reply('m2', 100);
  await at.sampled();
  await at.sampled();
  expect(summaries()).toEqual([expect.stringMatching(/^no new tasks today: .*208 tokens.*150/)]);
  at.budget('[budget]\ntokens_per_day = 1000');
  await at.sampled();
  expect(summaries()[0]).toBe('new tasks may begin again');
});

test('an agent that has ended uses nothing; the usage of its conversation stays known', async () => {
  await using at = await measured();
  at.reply('m1', 100);
  at.watch.tmux = aTmuxWatch(aPane({ pid: process.pid, dead: true }));
  expect(await at.sampled()).toMatchObject({ cpu_percent: null, memory_bytes: null, tokens: { input: 100 } });
});

test('a removed worker has no usage', async () => {
  await using at = await measured();
  await at.sampled();
  const remove = ({ workers }: { workers: Record<string, unknown> }) => delete workers.adam;
  at.store.commit({ worker: null, kind: 'nuke', summary: '', state: (draft) => void remove(draft) });
  expect(await at.sampled()).toBeUndefined();
});

test('tokens are counted also while the process table cannot be read, and the failure is reported', async () => {
  const listProcesses = () => Promise.reject(new Error('no memory'));
  await using at = await measured('', { listProcesses });
  at.reply('m1', 100);
  await expect(at.meter.sample()).rejects.toThrow('the process table cannot be read: no memory');
  expect(at.meter.workerUsageOf('adam')).toMatchObject({ memory_bytes: null, tokens: { input: 100 } });
  expect(spentOn(at.store.database, localDay(noonClock.now())).tokens).toBe(104);
  expect(at.watch.pulse.at, 'nothing is known about its process').toBeUndefined();
});
