import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  BY_AGENT,
  commitsOf,
  crowd,
  deliveriesOf,
  historyOf,
  longTurn,
  movesOf,
  openGate,
  promptsGiven,
  reaches,
  tasksGiven,
  untilOpen,
} from '../support/agent-side.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { CONTINUE_PROMPT } from '../support/prompts.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type Ran, type World } from '../support/world.ts';

const run = promisify(execFile);
const task = (worker: string) => `Write down that ${worker} was here`;
const start = (world: World, worker: string) => world.run(['start', '--worker', worker, '--prompt', task(worker)]);

/** Expects one prompt in the agent's own record and one commit. */
async function doneOnce(world: World, worker: string): Promise<void> {
  await reaches(world, worker, 'needs_review');
  expect(tasksGiven(world, worker)).toEqual([task(worker)]);
  expect(await commitsOf(world, worker)).toEqual([task(worker)]);
  expect(movesOf(world, worker).slice(-2)).toEqual(['idle → working (assigned)', 'working → needs_review (committed)']);
}

describe('an agent that is hard to type to', () => {
  let world: World;
  let ran: Record<string, Ran>;

  beforeAll(async () => {
    const scenario = {
      drowsy: 'misbehave: [swallow_first_enter]',
      deaf: 'misbehave: [{ swallow_first_enter: 9 }]',
      cutter: 'misbehave: [cut_paste_in_half]',
      shredder: 'misbehave: [{ cut_paste_in_half: 9 }]',
      terse: 'misbehave: [cut_paste_in_half]',
    };
    world = await crowd(scenario);
    const sent = Object.keys(scenario).map(async (worker) =>
      worker === 'terse' ? await world.run(['message', worker, task(worker)]) : await start(world, worker),
    );
    ran = Object.fromEntries((await Promise.all(sent)).map((each, index) => [Object.keys(scenario)[index], each]));
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('swallows the first Enter: llmc presses it again, and the prompt arrives once', async () => {
    await doneOnce(world, 'drowsy');
    expect(deliveriesOf(world, 'drowsy')).toMatchObject([{ state: 'done', attempt: 1, ack_source: BY_AGENT }]);
    expect(historyOf(world, 'drowsy', 'delivery').filter(({ summary }) => summary.includes('Enter again'))).toHaveLength(1);
  });

  test('ignores every Enter: the sender gets an error, and the worker needs a person', async () => {
    expect(ran.deaf).toMatchObject({ status: 2, stderr: expect.stringMatching(/DELIVERY_FAILED.*stays in the input box after 4 presses/) });
    expect(await world.worker('deaf')).toMatchObject({ status: 'error', attention: expect.stringContaining('llmc why deaf') });
    expect(promptsGiven(world, 'deaf')).toEqual([]);
  });

  test.for([
    { worker: 'cutter', what: 'a folded paste of many lines' },
    { worker: 'terse', what: 'a line shown as it is' },
  ])('cuts a paste in half ($what): llmc notices it before Enter, empties the box and types again', async ({ worker }) => {
    expect(ran[worker]?.status).toBe(0);
    await reaches(world, worker, 'needs_review');
    // The agent never gets half a prompt.
    expect(tasksGiven(world, worker)).toEqual([task(worker)]);
    expect(deliveriesOf(world, worker)).toMatchObject([{ state: 'done', attempt: 2, ack_source: BY_AGENT }]);
    expect(historyOf(world, worker, 'delivery').map(({ summary }) => summary.slice(10))).toEqual(
      expect.arrayContaining([
        'typing, attempt 1',
        'emptying the box: only part of the text arrived in the input box',
        'typing, attempt 2',
      ]),
    );
    expect(await commitsOf(world, worker)).toEqual([task(worker)]);
  });

  test('cuts every paste: after three attempts the sender gets an error, and the agent got nothing', async () => {
    expect(ran.shredder).toMatchObject({ status: 2, stderr: expect.stringMatching(/DELIVERY_FAILED.*not accepted after 3 attempts/) });
    expect(promptsGiven(world, 'shredder')).toEqual([]);
    expect(await world.worker('shredder')).toMatchObject({ status: 'error', delivery: { state: 'failed', attempt: 3 } });
  });
});

const heldSchema = z.object({ messages: z.array(z.object({ id: z.string(), text: z.string(), reason: z.string().nullable() })) });

describe('an agent that is not at its prompt', () => {
  let world: World;

  beforeAll(async () => {
    const slow = Object.fromEntries([0, 500, 1000, 2000].map((ms) => [`slow${ms}`, `misbehave: [{ slow_start: ${ms} }]`]));
    world = await llmcWorld({ workers: ['busy'], scenario: { ...slow, busy: longTurn('busy') } });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.for(rowsOfThisRun([0, 500, 1000, 2000], (ms) => ms === 0 || ms === 2000))(
    'has just started and needs %i ms to draw its box: the prompt waits for it',
    async (ms) => {
      await world.ok('add', `slow${ms}`);
      expect(await start(world, `slow${ms}`)).toMatchObject({ status: 0 });
      await doneOnce(world, `slow${ms}`);
      expect(deliveriesOf(world, `slow${ms}`)).toMatchObject([{ state: 'done', attempt: 1, ack_source: BY_AGENT }]);
    },
  );

  test('is busy: a message is held, shown, changed or canceled, and what is left is sent once when the turn ends', async () => {
    await start(world, 'busy');
    const printed = await world.ok('message', 'busy', 'And then this');
    expect(printed).toBe('Queued for busy: the agent is busy. llmc delivers it when that ends.\n');
    expect(await world.worker('busy')).toMatchObject({ status: 'working', delivery: { state: 'held', reason: 'the agent is busy' } });
    expect(await world.ok('status')).toContain('a prompt is held: the agent is busy');
    expect(await world.ok('why', 'busy', '--full')).toMatch(/message held, attempt 0 – the agent is busy/);
    expect(tasksGiven(world, 'busy')).toEqual([task('busy')]);
    await world.ok('message', 'busy', 'Not wanted\u001b[2J any more');
    const { messages } = await world.json(heldSchema, 'message', 'busy', '--list');
    expect(messages).toMatchObject([{ text: 'And then this' }, { text: 'Not wanted\u001b[2J any more', reason: 'the agent is busy' }]);
    const [kept = '', canceled = ''] = messages.map(({ id }) => id);
    expect(await world.ok('message', 'busy', '--edit', kept, 'And then that')).toBe(
      `Message ${kept} is changed: busy gets the new words.\n`,
    );
    expect(await world.ok('queue')).toMatch(
      new RegExp(`^${canceled}  busy  Not wanted<U\\+001B>\\[2J any more  waits: the agent is busy, for `, 'm'),
    );
    expect(await world.ok('message', 'busy', '--cancel', canceled)).toBe(`Message ${canceled} is canceled: busy does not get it.\n`);
    expect(await world.refused(['message', 'busy', '--cancel', canceled])).toMatchObject({ hint: 'llmc message busy --list' });

    openGate(world, 'busy');
    await reaches(world, 'busy', 'needs_review');
    expect(tasksGiven(world, 'busy')).toEqual([task('busy'), 'And then that']);
    expect(await commitsOf(world, 'busy')).toEqual(['The long turn', 'And then that']);
    expect(await world.ok('message', 'busy', '--list')).toBe('No message waits.\n');
    expect(deliveriesOf(world, 'busy')).toMatchObject([
      { purpose: 'task', state: 'done', attempt: 1 },
      { purpose: 'message', state: 'done', attempt: 1, ack_source: BY_AGENT },
      { purpose: 'message', state: 'failed', attempt: 0, reason: '{"kind":"canceled"}' },
    ]);
    // llmc did not offer the work for review between the two.
    expect(movesOf(world, 'busy').slice(-2)).toEqual(['idle → working (assigned)', 'working → needs_review (committed)']);
  });
});

describe('an agent that dies in the middle of a delivery', () => {
  let world: World;

  beforeAll(async () => {
    // On a slow machine a kill comes after the pause between paste and Enter: the agent swallows that one, and another never reports.
    const deaf = 'misbehave: [{ swallow_first_enter: 99 }]';
    const mute = `misbehave: [{ lose_events: [prompt_submit] }]\nturns: [{ steps: [${untilOpen('unreported')}, { edit: { path: a.md, append: "A line\\n" } }, { commit: "{{task}}" }] }]`;
    world = await llmcWorld({
      workers: ['pasted', 'unreported', 'reported'],
      scenario: { pasted: deaf, unreported: mute, reported: longTurn('reported') },
      config: '[delivery]\ndebounce_base_ms = 3000\nmax_debounce_ms = 3000',
    });
    // The program has read its scenario: the next one hears.
    writeFileSync(join(world.scenarios, 'pasted.yaml'), '');
    pids = {
      pasted: await world.panePid('pasted'),
      unreported: await world.panePid('unreported'),
      reported: await world.panePid('reported'),
    };
  });
  afterAll(() => world[Symbol.asyncDispose]());

  // Ask tmux for the process ids first: asking later could miss the moment.
  let pids: Readonly<Record<'pasted' | 'unreported' | 'reported', number>>;
  const kill = (worker: keyof typeof pids) => process.kill(pids[worker], 'SIGKILL');

  test('after the paste, before Enter: the next agent gets the prompt once', async () => {
    const sending = start(world, 'pasted');
    await until('the paste to be in the box', async () => /\[Pasted text #1/.test(await screenOf(world, 'pasted')));
    kill('pasted');
    expect(await sending).toMatchObject({ status: 0 });
    await doneOnce(world, 'pasted');
    expect(deliveriesOf(world, 'pasted')).toMatchObject([{ state: 'done', attempt: 2, incarnation: 2 }]);
  });

  test('after Enter, before its report: the agent’s record has the prompt, the next agent is told to continue, and the work is done once', async () => {
    const sending = start(world, 'unreported');
    await until('the agent to have it', async () => tasksGiven(world, 'unreported').length === 1);
    kill('unreported');
    openGate(world, 'unreported');
    expect(await sending).toMatchObject({ status: 0 });
    await reaches(world, 'unreported', 'needs_review');
    // The agent's own record holds the prompt, so the resumed conversation has it.
    expect(tasksGiven(world, 'unreported')).toEqual([task('unreported'), CONTINUE_PROMPT]);
    expect(await commitsOf(world, 'unreported')).toEqual([task('unreported')]);
    expect(deliveriesOf(world, 'unreported')).toMatchObject([
      { purpose: 'task', state: 'done', attempt: 1, incarnation: 1, ack_source: 'transcript' },
      { purpose: 'continue', state: 'done', attempt: 1, incarnation: 2 },
    ]);
  });

  test('after its report: the next agent gets a prompt to continue, and not the task again', async () => {
    expect(await start(world, 'reported')).toMatchObject({ status: 0 });
    kill('reported');
    openGate(world, 'reported');
    await reaches(world, 'reported', 'needs_review');
    expect(tasksGiven(world, 'reported')).toEqual([task('reported'), CONTINUE_PROMPT]);
    expect(await commitsOf(world, 'reported')).toEqual(['The long turn']);
    expect(deliveriesOf(world, 'reported')).toMatchObject([
      { purpose: 'task', state: 'done', attempt: 1, incarnation: 1, ack_source: BY_AGENT },
      { purpose: 'continue', state: 'done', attempt: 1, incarnation: 2, ack_source: BY_AGENT },
    ]);
  });
});

async function screenOf(world: World, worker: string): Promise<string> {
  const socket = join(world.root, 'run', 'tmux.sock');
  return (await run('tmux', ['-N', '-S', socket, 'capture-pane', '-p', '-t', `=llmc-${worker}:`], { env: world.env })).stdout;
}
