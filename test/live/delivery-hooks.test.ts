import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  answersGiven,
  BY_AGENT,
  commitsOf,
  crowd,
  deliveriesOf,
  environmentOf,
  hideRecord,
  historyOf,
  lastRecordAt,
  movesOf,
  reaches,
  story,
  tasksGiven,
} from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';

/** llmc believes the agent's record, or the screen without one, after this time when hooks are lost. */
const TAKES_OVER_MS = 2_000;
/** Time for a capture, a database write and a git call on a quiet machine. */
const MARGIN_MS = 500;
/** A busy machine gets this many times the start of a small program, measured in the same round. */
const PROGRAM_STARTS = 20;
/** One of these rounds has to be fast enough: a machine that stalls for a second proves nothing about llmc. */
const ROUNDS = 10;

const SLOW_TURNS = 'turns: [{ when: "", steps: [{ take: 2s }, { edit: { path: notes.md, append: "A line\\n" } }, { commit: Noted }] }]';
const HOOKS = {
  mute: `misbehave: [lose_events]\n${SLOW_TURNS}`,
  unsaid: `misbehave: [{ lose_events: [prompt_submit] }]\n${SLOW_TURNS}`,
  recorded: `misbehave: [lose_events]\n${SLOW_TURNS}`,
  endless: `misbehave: [{ lose_events: [stop] }]\n${SLOW_TURNS}`,
  brief: 'misbehave: [lose_events]',
  asking: 'misbehave: [lose_events]\nturns: [{ steps: [{ ask: { question: Red or blue?, choices: [Red, Blue] } }] }]',
  twice: 'misbehave: [double_events]',
  late: 'misbehave: [{ late_events: 500 }]',
  later: 'misbehave: [{ late_events: 3000 }]',
  latest: 'misbehave: [{ late_events: 7000 }]',
  // The second report of each pair must arrive within this time, even on a slow machine.
  mixed: 'misbehave: [{ reorder_events: 30000 }]',
} as const;
type Worker = keyof typeof HOOKS;

/** Agents whose own record llmc cannot read, so that the screen is the last witness. */
const UNRECORDED = ['mute', 'unsaid', 'brief'] as const;

const task = (worker: string) => `Write down that ${worker} was here`;

describe('an agent whose hooks', () => {
  let world: World;

  beforeAll(async () => {
    world = await crowd(HOOKS);
    for (const worker of UNRECORDED) await hideRecord(world, worker);
    await Promise.all(Object.keys(HOOKS).map((worker) => world.ok('start', '--worker', worker, '--prompt', task(worker))));
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const events = (worker: Worker) =>
    world
      .rows(z.object({ name: z.string() }), "SELECT name FROM events WHERE worker = ? AND fate = 'applied' ORDER BY seq", worker)
      .map(({ name }) => name);
  const stops = (worker: Worker) => events(worker).filter((name) => name === 'stop').length;

  test.for([
    { what: 'lose every report of a long turn', worker: 'mute', ended: 0 },
    { what: 'lose every report of a turn that is in its record', worker: 'recorded', ended: 0 },
    { what: 'lose every report of a short turn', worker: 'brief', ended: 0 },
    { what: 'lose the report of the prompt', worker: 'unsaid', ended: 1 },
    { what: 'lose the report of the end', worker: 'endless', ended: 0 },
    { what: 'report everything twice', worker: 'twice', ended: 2 },
    { what: 'report half a second late', worker: 'late', ended: 1 },
    { what: 'report three seconds late', worker: 'later', ended: 1 },
    { what: 'report long after the time for an acknowledgement', worker: 'latest', ended: 1 },
    { what: 'report in the wrong order', worker: 'mixed', ended: 1 },
  ] as const)('$what: the task is delivered, done and offered for review once', async ({ worker, ended }) => {
    await reaches(world, worker, 'needs_review');
    // Wait for the late reports, which must change nothing.
    await until(`all reports of ${worker}`, async () => stops(worker) >= ended);
    await until(`${worker} to be ready`, async () => (await world.worker(worker)).activity.kind === 'ready');
    expect(tasksGiven(world, worker), story(world, worker)).toEqual([task(worker)]);
    expect(await commitsOf(world, worker)).toHaveLength(1);
    expect(movesOf(world, worker).slice(-2)).toEqual(['idle → working (assigned)', 'working → needs_review (committed)']);
    expect(deliveriesOf(world, worker)).toMatchObject([{ state: 'done', attempt: 1 }]);
    expect(stops(worker)).toBe(ended);
  });

  test('report in the wrong order, as the scenario says', () => {
    expect(events('mixed').indexOf('tool_start')).toBeLessThan(events('mixed').indexOf('prompt_submit'));
    expect(events('mixed').lastIndexOf('stop')).toBeLessThan(events('mixed').lastIndexOf('tool_end'));
  });

  test('lose the report of a question: the screen shows it, and the answer reaches it', async () => {
    await reaches(world, 'asking', 'needs_input');
    expect(await world.worker('asking'), story(world, 'asking')).toMatchObject({
      activity: { kind: 'awaiting_question', source: 'screen' },
      delivery: { state: 'acked', attempt: 1 },
    });
    expect(answersGiven(world, 'asking')).toEqual([]);
    await world.ok('why', 'asking');
    await world.ok('answer', 'asking', 'Blue');
    await until('the answer to arrive', async () => answersGiven(world, 'asking').length > 0);
    expect(answersGiven(world, 'asking')).toEqual(['Blue']);
  });

  test('deliver a lost report while the next prompt is sent: it acknowledges neither prompt, and each arrives once', async () => {
    await reaches(world, 'brief', 'needs_review');
    const [first] = deliveriesOf(world, 'brief');
    const sending = world.ok('message', 'brief', 'And one thing more');
    await until('the next prompt to be sent', async () => deliveriesOf(world, 'brief')[1]?.state === 'submitted');
    const spool = join(world.root, 'events', 'brief');
    const { LLMC_SEAL: seal } = await environmentOf(world, 'brief');
    writeFileSync(join(spool, '.late'), `${seal}\n${JSON.stringify({ prompt: first?.sent_text })}`);
    renameSync(join(spool, '.late'), join(spool, '1~prompt_submit~late.json'));
    await sending;
    await reaches(world, 'brief', 'needs_review');
    expect(tasksGiven(world, 'brief'), story(world, 'brief')).toEqual([task('brief'), 'And one thing more']);
    expect(deliveriesOf(world, 'brief')).toMatchObject([{ ack_source: 'screen' }, { attempt: 1, ack_source: 'screen' }]);
    expect(events('brief')).toEqual(['prompt_submit']);
  });

  test.for([
    { worker: 'mute', witness: 'screen' },
    { worker: 'unsaid', witness: 'screen' },
    { worker: 'recorded', witness: 'transcript' },
    { worker: 'endless', witness: BY_AGENT },
  ] as const)('lose reports ($worker): the screen or the record takes over within two seconds', async ({ worker, witness }) => {
    const took: { readonly ack: number; readonly end: number; readonly start: number }[] = [];
    const late = () =>
      Math.min(...took.map(({ ack, end, start }) => Math.max(ack, end) - TAKES_OVER_MS - MARGIN_MS - PROGRAM_STARTS * start));
    while (took.length < ROUNDS && !(late() < 0)) {
      await world.ok('message', worker, `Round ${took.length}`);
      await reaches(world, worker, 'needs_review');
      const row = deliveriesOf(world, worker).at(-1);
      const seen = historyOf(world, worker, 'status').at(-1)?.at ?? Number.POSITIVE_INFINITY;
      const ack = (row?.acked_ms ?? Number.POSITIVE_INFINITY) - (row?.submitted_ms ?? 0);
      const began = performance.now();
      await world.git('--version');
      took.push({ ack, end: seen - lastRecordAt(world, worker), start: performance.now() - began });
      expect(row).toMatchObject({ attempt: 1, ack_source: witness });
    }
    expect(late(), JSON.stringify(took)).toBeLessThan(0);
    expect(tasksGiven(world, worker)).toEqual([task(worker), ...took.map((_, round) => `Round ${round}`)]);
  });
});
