import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { commitsOf, crowd, deliveriesOf, historyOf, lastWordAt, longTurn, movesOf, reaches, tasksGiven } from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';

/** With hooks lost, what the screen shows is believed after this time. */
const SCREEN_TAKES_OVER_MS = 2_000;
/** Other test files keep the machine's two cores busy meanwhile: a look, a database write or a git call can take this much longer. */
const MARGIN_MS = 1_000;

const HOOKS = {
  mute: 'misbehave: [lose_events]',
  mutelong: `misbehave: [lose_events]\n${longTurn('3s')}`,
  unsaid: 'misbehave: [{ lose_events: [prompt_submit] }]',
  unsaidlong: `misbehave: [{ lose_events: [prompt_submit] }]\n${longTurn('3s')}`,
  endless: 'misbehave: [{ lose_events: [stop] }]',
  twice: 'misbehave: [double_events]',
  late: 'misbehave: [{ late_events: 500 }]',
  later: 'misbehave: [{ late_events: 3000 }]',
  latest: 'misbehave: [{ late_events: 7000 }]',
  mixed: 'misbehave: [reorder_events]',
} as const;
type Worker = keyof typeof HOOKS;

const task = (worker: string) => `Write down that ${worker} was here`;
const eventsOf = (world: World, worker: string) =>
  world
    .rows(z.object({ name: z.string() }), "SELECT name FROM events WHERE worker = ? AND fate = 'applied' ORDER BY seq", worker)
    .map(({ name }) => name);

describe('an agent whose hooks', () => {
  let world: World;

  beforeAll(async () => {
    world = await crowd(HOOKS);
    await Promise.all(Object.keys(HOOKS).map((worker) => world.ok('start', '--worker', worker, '--prompt', task(worker))));
  });
  afterAll(() => world[Symbol.asyncDispose]());

  /** Delivered once, worked on once, put up for review once: whatever came late has come, and changed nothing. */
  async function once(worker: Worker, stops: number): Promise<void> {
    await reaches(world, worker, 'needs_review');
    const ended = () => eventsOf(world, worker).filter((name) => name === 'stop').length;
    await until(`all reports of ${worker}`, async () => ended() >= stops, 20_000);
    await until(`${worker} to be seen at its prompt`, async () => (await world.worker(worker)).activity.kind === 'ready');
    expect(tasksGiven(world, worker)).toEqual([task(worker)]);
    expect(await commitsOf(world, worker)).toHaveLength(1);
    expect(movesOf(world, worker).slice(-2)).toEqual(['idle → assigned', 'working → committed']);
    expect(deliveriesOf(world, worker)).toMatchObject([{ state: 'done', attempt: 1 }]);
    expect(ended()).toBe(stops);
  }

  test.for([
    ['mute', 'none'],
    ['mutelong', 'none'],
    ['unsaid', 'the screen'],
    ['unsaidlong', 'the screen'],
  ] as const)('are lost (%s): the screen acknowledges the prompt', async ([worker]) => {
    await once(worker, worker.startsWith('mute') ? 0 : 1);
    const [row] = deliveriesOf(world, worker);
    expect(row).toMatchObject({ ack_source: 'screen' });
    // A short turn is over before the report counts as missing: then it is the resting screen that is believed.
    const since = worker.endsWith('long') ? (row?.submitted_ms ?? 0) : Math.max(row?.submitted_ms ?? 0, lastWordAt(world, worker));
    expect((row?.acked_ms ?? Number.POSITIVE_INFINITY) - since).toBeLessThan(SCREEN_TAKES_OVER_MS + MARGIN_MS);
  });

  test.for(['mute', 'mutelong', 'unsaid', 'unsaidlong', 'endless'] as const)('are lost (%s): the screen shows the end', async (worker) => {
    await once(worker, worker.startsWith('unsaid') ? 1 : 0);
    const seen = historyOf(world, worker, 'status').at(-1)?.at ?? Number.POSITIVE_INFINITY;
    expect(seen - lastWordAt(world, worker)).toBeLessThan(SCREEN_TAKES_OVER_MS + MARGIN_MS);
  });

  test('report twice: counted once', async () => {
    await once('twice', 2);
    expect(deliveriesOf(world, 'twice')).toMatchObject([{ ack_source: 'hook' }]);
  });

  test.for([
    ['late', 'hook'],
    ['later', 'screen'],
    ['latest', 'screen'],
  ] as const)('report %s: nothing is sent again, and reviewed work stays reviewed', async ([worker, source]) => {
    await once(worker, 1);
    expect(deliveriesOf(world, worker)).toMatchObject([{ ack_source: source }]);
  });

  test('report in the wrong order: nothing is lost or doubled', async () => {
    await once('mixed', 1);
    const events = eventsOf(world, 'mixed');
    expect(events.indexOf('tool_start')).toBeLessThan(events.indexOf('prompt_submit'));
    expect(events.lastIndexOf('stop')).toBeLessThan(events.lastIndexOf('tool_end'));
  });

  test.for(['mute', 'endless', 'later', 'mixed'] as const)('misbehave (%s) get the next message once too', async (worker) => {
    await world.ok('message', worker, 'And one thing more');
    await reaches(world, worker, 'needs_review');
    expect(tasksGiven(world, worker)).toEqual([task(worker), 'And one thing more']);
    expect(await commitsOf(world, worker)).toEqual([task(worker), 'And one thing more']);
  });
});
