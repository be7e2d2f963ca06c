import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  answersGiven,
  commitsOf,
  deliveriesOf,
  historyOf,
  longTurn,
  openGate,
  promptsGiven,
  reaches,
  tasksGiven,
} from '../support/agent-side.ts';
import { declaredTwin } from '../support/declared-twin.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { CONTINUE_PROMPT, LOST_CONVERSATION_PROMPT } from '../support/prompts.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const run = promisify(execFile);
const task = (worker: string) => `Write down that ${worker} was here`;
const reading = z.object({
  kind: z.string(),
  detail: z.string().nullable(),
  confidence: z.number(),
  rule: z.string(),
  box: z.string(),
  box_text: z.string().nullable(),
});

/** A world whose workers run declared agents: `twin`, unless another one is named. */
async function twins(scenario: Readonly<Record<string, string>>, agents: Readonly<Record<string, string>> = {}): Promise<World> {
  const world = await llmcWorld({ scenario, stage: 'root' });
  try {
    const twin = declaredTwin('twin', ['--skip-permissions', '--scenario', world.scenarios]);
    const forgetful = declaredTwin('forgetful', ['--scenario', world.scenarios], { start_args: undefined, resume_args: undefined });
    const never = `${declaredTwin('never', [], { ready: "['never on any screen']" })}quiet_secs = 3\n`;
    const boxless = `${declaredTwin('boxless', [], { box: "'^>>> (.*)$'" })}quiet_secs = 3\n`;
    const misbox = `${declaredTwin('misbox', [], { box: "'^  demo agent ·()'", box_more: undefined })}quiet_secs = 3\n`;
    const slow = declaredTwin('slow', [], { busy: "['^(─+)+x$']" });
    appendFileSync(join(world.root, 'config.toml'), [twin, forgetful, never, boxless, misbox, slow].join('\n'));
    for (const worker of Object.keys(scenario)) await world.ok('add', worker, '--agent', agents[worker] ?? 'twin');
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

async function press(world: World, worker: string, ...keys: string[]): Promise<void> {
  const socket = join(world.root, 'run', 'tmux.sock');
  await run('tmux', ['-N', '-S', socket, 'send-keys', '-t', `=llmc-${worker}:`, ...keys], { env: world.env });
}

const start = (world: World, worker: string) => world.ok('start', '--worker', worker, '--prompt', task(worker));
const held = (world: World, worker: string, reason: RegExp) =>
  until(`a prompt for ${worker} to be held`, async () => {
    const { delivery } = await world.worker(worker);
    return delivery?.state === 'held' && reason.test(delivery.reason ?? '');
  });

describe('a declared agent', () => {
  let world: World;

  beforeAll(async () => {
    const asks = 'turns: [{ steps: [{ ask: { question: Which way?, choices: [Left, Right] } }, { commit: Answered }] }]';
    const scenario = { plain: '', asker: asks, drafter: '', killed: longTurn('killed'), lost: longTurn('lost') };
    world = await twins(scenario, { lost: 'forgetful' });
    await world.comeUp();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('does a task without a report: its screen shows when the task was accepted and when it was done', async () => {
    await start(world, 'plain');
    await reaches(world, 'plain', 'needs_review');
    expect(tasksGiven(world, 'plain')).toEqual([task('plain')]);
    expect(await commitsOf(world, 'plain')).toEqual([task('plain')]);
    expect(deliveriesOf(world, 'plain')).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'screen' }]);
    expect(world.rows(z.object({ seq: z.int() }), "SELECT seq FROM events WHERE worker = 'plain'")).toEqual([]);
    expect(await world.ok('why', 'plain', '--full')).toMatch(/ready: .*\(ready\[0\] matches "demo agent ·"\) \[screen/);
  });

  test('gets a second prompt in the same conversation, and a new task in a new one', async () => {
    await world.ok('message', 'plain', 'And one thing more');
    await reaches(world, 'plain', 'needs_review');
    await world.ok('accept', 'plain');
    expect(historyOf(world, 'plain', 'launch')).toHaveLength(1);

    await world.ok('start', '--worker', 'plain', '--prompt', 'Another task');
    await reaches(world, 'plain', 'needs_review');
    expect(tasksGiven(world, 'plain')).toEqual([task('plain'), 'And one thing more', 'Another task']);
    expect(historyOf(world, 'plain', 'launch').map(({ summary }) => summary)).toEqual([
      expect.stringContaining('incarnation 1'),
      expect.stringMatching(/^a new task starts with an empty conversation; incarnation 2, new conversation/),
    ]);
    expect(deliveriesOf(world, 'plain')).toMatchObject(Array(3).fill({ state: 'done', attempt: 1 }));
  });

  test('asks a question: llmc holds prompts, presses no key, and tells the person where to answer', async () => {
    await start(world, 'asker');
    await reaches(world, 'asker', 'needs_input');
    expect(await world.worker('asker')).toMatchObject({
      activity: { kind: 'awaiting_question', source: 'screen' },
      attention: expect.stringMatching(/^It asks: .*Answer it there: llmc attach asker$/),
    });
    expect(await world.ok('message', 'asker', 'Left, I say')).toMatch(/^Queued for asker: a dialog is open/);
    await world.ok('why', 'asker');
    expect(await world.refused(['answer', 'asker', 'Left'])).toMatchObject({ code: 'AGENT_BLOCKED', hint: 'llmc attach asker' });
    await held(world, 'asker', /^a dialog is open/);
    expect(answersGiven(world, 'asker')).toEqual([]);

    await press(world, 'asker', '2');
    await reaches(world, 'asker', 'needs_review');
    await until('the message to have gone out', async () => promptsGiven(world, 'asker').length === 2);
    expect(answersGiven(world, 'asker')).toEqual(['Right']);
    expect(tasksGiven(world, 'asker')).toEqual([task('asker'), 'Left, I say']);
  });

  // In each run in test/claude/guards.test.ts and test/live/attach.test.ts.
  testOfFullRun('has a person’s draft in its box: llmc neither sends nor erases it, and the prompt waits', async () => {
    await press(world, 'drafter', '-l', 'my own words');
    await until('the draft to be read', async () => (await inspected(world, 'drafter')).box_text === 'my own words');
    expect(await world.ok('message', 'drafter', task('drafter'))).toContain('a draft is in the input box');
    await held(world, 'drafter', /draft/);
    expect(await inspected(world, 'drafter')).toMatchObject({ kind: 'ready', box: 'text', box_text: 'my own words' });
    expect(promptsGiven(world, 'drafter')).toEqual([]);

    await press(world, 'drafter', 'C-u');
    await reaches(world, 'drafter', 'needs_review');
    expect(tasksGiven(world, 'drafter')).toEqual([task('drafter')]);
  });

  test('is killed during a task: it resumes its conversation with resume_args and gets a prompt to continue', async () => {
    await start(world, 'killed');
    process.kill(await world.panePid('killed'), 'SIGKILL');
    openGate(world, 'killed');
    await reaches(world, 'killed', 'needs_review');
    expect(tasksGiven(world, 'killed')).toEqual([task('killed'), CONTINUE_PROMPT]);
    expect(await commitsOf(world, 'killed')).toEqual(['The long turn']);
  });

  test('is killed and has no resume_args: a new conversation gets the whole task', async () => {
    await start(world, 'lost');
    process.kill(await world.panePid('lost'), 'SIGKILL');
    openGate(world, 'lost');
    await reaches(world, 'lost', 'needs_review');
    const [first, second, ...more] = promptsGiven(world, 'lost');
    expect(more).toEqual([]);
    expect(first).toContain(task('lost'));
    expect(second).toContain(LOST_CONVERSATION_PROMPT);
    expect(second).toContain(task('lost'));
    expect(historyOf(world, 'lost', 'launch').at(-1)?.summary).toContain('new conversation');
  });
});

describe('a declared agent with wrong patterns', () => {
  let world: World;
  let printed: string;

  beforeAll(async () => {
    const agents = { never: 'never', boxless: 'boxless', misbox: 'misbox', slow: 'slow', sound: 'twin' };
    world = await twins({ never: '', boxless: '', misbox: '', slow: '', sound: '' }, agents);
    printed = await world.ok('up', '--detach');
    await Promise.all(['never', 'boxless', 'misbox'].map((worker) => world.ok('message', worker, task(worker))));
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.for([
    { worker: 'never', wrong: 'ready = "never on any screen"', what: 'it matches no line of a screen that waits for a prompt' },
    { worker: 'boxless', wrong: 'box = "^>>> (.*)$"', what: 'it matches no line of a screen that waits for a prompt' },
    { worker: 'misbox', wrong: 'box = "^  demo agent ·()"', what: 'it does not find the text that llmc typed' },
  ])('$worker: gets its prompt once without the pattern, and doctor names it', async ({ worker, wrong, what }) => {
    await reaches(world, worker, 'needs_review');
    expect(promptsGiven(world, worker)).toEqual([task(worker)]);
    expect(deliveriesOf(world, worker)).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'screen' }]);
    const { stdout } = await world.run(['doctor', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({
          name: 'agents',
          level: 'warning',
          message: expect.stringContaining(`the pattern ${wrong} of ${worker} is wrong and not used: ${what}`),
        }),
      ]),
    });
    expect(historyOf(world, worker, 'pattern').map(({ summary }) => summary)).toEqual([expect.stringContaining('llmc doctor')]);
  });

  test('a pattern that takes too long is named, with the command that shows the screen', async () => {
    const rule = 'the pattern busy[0] takes too long; write it without nested repeats';
    const { activity, attention } = await world.worker('slow');
    expect(activity).toMatchObject({ kind: 'unknown', source: 'screen' });
    expect(attention).toContain(`its screen cannot be classified (${rule})`);
    expect(attention).toContain('llmc inspect --worker slow');
    expect(printed).toContain(rule);
    expect(await inspected(world, 'slow')).toMatchObject({ kind: 'unknown', confidence: 0, rule });
  });

  test('llmc uses a pattern again once it was changed', async () => {
    const file = join(world.root, 'config.toml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('never on any screen', '^  demo agent · '));
    await world.ok('message', 'never', 'And one thing more');
    await until('the second prompt', async () => promptsGiven(world, 'never').length === 2);
    expect(await inspected(world, 'never')).toMatchObject({ kind: expect.stringMatching(/ready|processing/) });
    expect((await world.run(['doctor'])).stdout).not.toContain('never on any screen');
  });

  test('the other workers continue beside it', async () => {
    await start(world, 'sound');
    await reaches(world, 'sound', 'needs_review');
    expect(tasksGiven(world, 'sound')).toEqual([task('sound')]);
  });
});

async function inspected(world: World, worker: string): Promise<z.infer<typeof reading>> {
  return await world.json(reading, 'inspect', '--worker', worker);
}
