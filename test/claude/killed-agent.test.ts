import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATIENT } from '../support/agent-world.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { killCampaign } from '../support/kill-campaign.ts';
import { KILLED_AFTER_MS, killDuringDelivery, killWhileResuming, type Sweep } from '../support/kill-sweep.ts';
import { recordedPrompts } from '../support/recorded-prompts.ts';
import type { Step } from './api-steps.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

describe.skipIf(program === undefined)('the real Claude Code killed while it gets a prompt', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  beforeAll(async () => {
    opening = claudeWorld({ workers: ['adam'], quiet: true, config: PATIENT });
    world = await opening;
    world.script('adam', commits('the first'), OVER);
    await world.ok('start', '--worker', 'adam', '--prompt', 'the first');
    await world.reaches('adam', 'needs_review');
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const adam = (): Sweep<Step> => ({
    worker: 'adam',
    commits,
    over: OVER,
    pid: () => world.panePid('adam'),
    recorded: () => recordedPrompts('claude', records(world)),
  });

  test.for(KILLED_AFTER_MS)('%i ms into the delivery: the agent acts on the prompt once', async (afterMs) => {
    await killDuringDelivery(world, adam(), afterMs);
  });

  test('and again while it resumes: the conversation stays', async () => {
    await killWhileResuming(world, adam(), `killed after ${KILLED_AFTER_MS[0]} ms`);
  });

  const asks = (question: string, multiSelect: boolean, ...labels: readonly string[]): Step => {
    const options = labels.map((label) => ({ label, description: `Use ${label}` }));
    return { kind: 'tool', name: 'AskUserQuestion', input: { questions: [{ question, header: 'Choice', multiSelect, options }] } };
  };
  const asked = async (question: RegExp) =>
    await world.until(`the question ${question}`, async () => question.test((await world.worker('adam')).attention ?? ''));

  test('with its question open: the question is kept, and the answer is sent as a prompt that quotes it', async () => {
    world.script('adam', asks('Which database?', false, 'PostgreSQL', 'SQLite'));
    await world.ok('message', 'adam', 'ask me');
    await asked(/Which database\?.*PostgreSQL \/ SQLite/);
    const before = world.incarnation('adam');
    process.kill(await world.panePid('adam'), 'SIGKILL');
    await world.until('the new start', () => world.incarnation('adam') > before);
    await world.until('the agent to be ready', async () => (await world.worker('adam')).activity?.kind === 'ready');
    expect(await world.worker('adam')).toMatchObject({
      status: 'needs_input',
      attention: expect.stringMatching(/Which database\?.*PostgreSQL \/ SQLite.*llmc answer adam/),
    });
    world.script('adam', commits('as answered'), OVER);
    await world.ok('why', 'adam');
    await world.ok('answer', 'adam', '2');
    await world.reaches('adam', 'needs_review');
    expect(world.received('adam').slice(-2)).toEqual([
      'ask me',
      expect.stringMatching(/^You asked: Which database\?\n(?:.|\n)*The answer: SQLite\n/),
    ]);
  });

  // In each run in test/claude/adapter.test.ts: questions are answered by label, by text and by ticking.
  testOfFullRun('answers of several choices may have words of their own', async () => {
    world.script('adam', asks('Which features?', true, 'Auth', 'Logs'), commits('with features'), OVER);
    await world.ok('message', 'adam', 'ask me more');
    await asked(/Which features\?/);
    await world.ok('why', 'adam');
    await world.ok('answer', 'adam', 'Logs, my own words');
    await world.reaches('adam', 'needs_review');
    expect(JSON.stringify(world.requests('adam').at(-1)?.body.messages)).toContain('Logs, my own words');
  });
});

killCampaign({
  agent: 'claude',
  program,
  recordedTimes: 1,
  open: (options) => claudeWorld({ ...options, quiet: true }),
  pid: (world, worker) => world.panePid(worker),
  answer: (after) => ({ kind: 'text', text: 'OK.', after }),
  records,
});

const OVER: Step = { kind: 'text', text: 'Done.' };

function records({ isolated }: ClaudeWorld): string {
  return join(isolated.configDir, 'projects', '*', '*.jsonl');
}

function commits(message: string, after?: Promise<void>): Step {
  const command = `echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`;
  return { kind: 'tool', name: 'Bash', input: { command, description: 'Work' }, ...(after && { after }) };
}
