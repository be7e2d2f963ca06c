import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
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
import { CONTINUE_PROMPT } from '../support/prompts.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type Ran, type World } from '../support/world.ts';

const run = promisify(execFile);
const task = (worker: string) => `Write down that ${worker} was here`;
const start = (world: World, worker: string) => world.run(['start', '--worker', worker, '--prompt', task(worker)]);

/** Judged by the agent's own record and by git: one prompt, one piece of work. */
async function gotItOnce(world: World, worker: string): Promise<void> {
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

  test('swallows the first Enter: it is pressed again, and the prompt arrives once', async () => {
    await gotItOnce(world, 'drowsy');
    expect(deliveriesOf(world, 'drowsy')).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'hook' }]);
    expect(historyOf(world, 'drowsy', 'delivery').filter(({ summary }) => summary.includes('Enter again'))).toHaveLength(1);
  });

  test('takes no Enter at all: the sender is told, and a person is called', async () => {
    expect(ran.deaf).toMatchObject({ status: 2, stderr: expect.stringMatching(/DELIVERY_FAILED.*stays in the box after 4 presses/) });
    expect(await world.worker('deaf')).toMatchObject({ status: 'error', attention: expect.stringContaining('llmc why deaf') });
    expect(promptsGiven(world, 'deaf')).toEqual([]);
  });

  test.for([
    { worker: 'cutter', what: 'a folded paste of many lines' },
    { worker: 'terse', what: 'a line shown as it is' },
  ])('cuts a paste in half ($what): seen before Enter, wiped, typed again', async ({ worker }) => {
    expect(ran[worker]?.status).toBe(0);
    await reaches(world, worker, 'needs_review');
    // Never half a prompt.
    expect(tasksGiven(world, worker)).toEqual([task(worker)]);
    expect(deliveriesOf(world, worker)).toMatchObject([{ state: 'done', attempt: 2, ack_source: 'hook' }]);
    expect(historyOf(world, worker, 'delivery').map(({ summary }) => summary.slice(10))).toEqual(
      expect.arrayContaining(['typing, attempt 1', 'emptying the box: only part of the text arrived in the box', 'typing, attempt 2']),
    );
    expect(await commitsOf(world, worker)).toEqual([task(worker)]);
  });

  test('cuts every paste: after three attempts the sender is told, and the agent got nothing', async () => {
    expect(ran.shredder).toMatchObject({ status: 2, stderr: expect.stringMatching(/DELIVERY_FAILED.*not accepted after 3 attempts/) });
    expect(promptsGiven(world, 'shredder')).toEqual([]);
    expect(await world.worker('shredder')).toMatchObject({ status: 'error', delivery: { state: 'failed', attempt: 3 } });
  });
});

describe('an agent that is not at its prompt', () => {
  let world: World;

  beforeAll(async () => {
    const slow = Object.fromEntries([0, 500, 1000, 2000].map((ms) => [`slow${ms}`, `misbehave: [{ slow_start: ${ms} }]`]));
    world = await llmcWorld({ workers: ['busy'], scenario: { ...slow, busy: longTurn('busy') } });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.for([0, 500, 1000, 2000])('has only just been started and needs %i ms to draw its box: the prompt waits for it', async (ms) => {
    await world.ok('add', `slow${ms}`);
    expect(await start(world, `slow${ms}`)).toMatchObject({ status: 0 });
    await gotItOnce(world, `slow${ms}`);
    expect(deliveriesOf(world, `slow${ms}`)).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'hook' }]);
  });

  test('is busy: a message is held, which all can see, and goes out once when the turn ends', async () => {
    await start(world, 'busy');
    const told = await world.ok('message', 'busy', 'And then this');
    expect(told).toBe('Queued for busy: the agent is busy. llmc delivers it when that ends.\n');
    expect(await world.worker('busy')).toMatchObject({ status: 'working', delivery: { state: 'held', reason: 'the agent is busy' } });
    expect(await world.ok('status')).toContain('a prompt is held: the agent is busy');
    expect(await world.ok('why', 'busy', '--full')).toMatch(/message held, attempt 0 – the agent is busy/);
    expect(tasksGiven(world, 'busy')).toEqual([task('busy')]);

    openGate(world, 'busy');
    await reaches(world, 'busy', 'needs_review');
    expect(tasksGiven(world, 'busy')).toEqual([task('busy'), 'And then this']);
    expect(await commitsOf(world, 'busy')).toEqual(['The long turn', 'And then this']);
    expect(deliveriesOf(world, 'busy')).toMatchObject([
      { purpose: 'task', state: 'done', attempt: 1 },
      { purpose: 'message', state: 'done', attempt: 1, ack_source: 'hook' },
    ]);
    // The work was not put up for review between the two.
    expect(movesOf(world, 'busy').slice(-2)).toEqual(['idle → working (assigned)', 'working → needs_review (committed)']);
  });
});

describe('an agent that dies in the middle of a delivery', () => {
  let world: World;

  beforeAll(async () => {
    // A long pause between paste and Enter, and a long one before each report: room to kill in between.
    const late = `misbehave: [{ late_events: 5000 }]\nturns: [{ steps: [${untilOpen('unheard')}, { edit: { path: a.md, append: "A line\\n" } }, { commit: "{{task}}" }] }]`;
    world = await llmcWorld({
      workers: ['pasted', 'unheard', 'heard'],
      scenario: { unheard: late, heard: longTurn('heard') },
      config: '[delivery]\ndebounce_base_ms = 3000\nmax_debounce_ms = 3000',
    });
    pids = { pasted: await world.panePid('pasted'), unheard: await world.panePid('unheard'), heard: await world.panePid('heard') };
  });
  afterAll(() => world[Symbol.asyncDispose]());

  // Known beforehand: to ask tmux takes its time, and the moment would be over.
  let pids: Readonly<Record<'pasted' | 'unheard' | 'heard', number>>;
  const kill = (worker: keyof typeof pids) => process.kill(pids[worker], 'SIGKILL');

  test('after the paste, before Enter: the next one gets the prompt, once', async () => {
    const sending = start(world, 'pasted');
    await until('the paste to stand in the box', async () => /\[Pasted text #1/.test(await screenOf(world, 'pasted')));
    kill('pasted');
    expect(await sending).toMatchObject({ status: 0 });
    await gotItOnce(world, 'pasted');
    expect(deliveriesOf(world, 'pasted')).toMatchObject([{ state: 'done', attempt: 2, incarnation: 2 }]);
  });

  test('after Enter, its report still unwritten: the next one starts afresh with the prompt, and the work is done once', async () => {
    const sending = start(world, 'unheard');
    await until('the agent to have it', async () => tasksGiven(world, 'unheard').length === 1);
    kill('unheard');
    openGate(world, 'unheard');
    expect(await sending).toMatchObject({ status: 0 });
    await reaches(world, 'unheard', 'needs_review');
    // Once in each life, and the first one ended before it did anything.
    expect(tasksGiven(world, 'unheard')).toEqual([task('unheard'), task('unheard')]);
    expect(await commitsOf(world, 'unheard')).toEqual([task('unheard')]);
    expect(deliveriesOf(world, 'unheard')).toMatchObject([{ state: 'done', attempt: 2, incarnation: 2 }]);
  });

  test('after its report: the next one is told to go on, and is not given the prompt again', async () => {
    expect(await start(world, 'heard')).toMatchObject({ status: 0 });
    kill('heard');
    openGate(world, 'heard');
    await reaches(world, 'heard', 'needs_review');
    expect(tasksGiven(world, 'heard')).toEqual([task('heard'), CONTINUE_PROMPT]);
    expect(await commitsOf(world, 'heard')).toEqual(['The long turn']);
    expect(deliveriesOf(world, 'heard')).toMatchObject([
      { purpose: 'task', state: 'done', attempt: 1, incarnation: 1, ack_source: 'hook' },
      { purpose: 'continue', state: 'done', attempt: 1, incarnation: 2, ack_source: 'hook' },
    ]);
  });
});

async function screenOf(world: World, worker: string): Promise<string> {
  const socket = join(world.root, 'run', 'tmux.sock');
  return (await run('tmux', ['-N', '-S', socket, 'capture-pane', '-p', '-t', `=llmc-${worker}:`], { env: world.env })).stdout;
}
