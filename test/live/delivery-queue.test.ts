import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deliveriesOf, reaches, tasksGiven } from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const TASKS = ['Write down the first', 'Write down the second', 'Write down the third'];

const queueSchema = z.object({ tasks: z.array(z.object({ number: z.int(), state: z.string(), waits: z.string().nullable() })) });
const hit = z.object({ kind: z.string(), worker: z.string().nullable(), task: z.int().nullable(), text: z.string() });
const hitsSchema = z.object({ hits: z.array(hit) });
const queueOf = async (world: World, ...args: string[]) => (await world.json(queueSchema, 'queue', 'list', ...args)).tasks;

test('tasks are done in the order of the queue, also over a restart; a person changes the order, and cancels one', async () => {
  // A worker may be named like the queue itself.
  await using world = await llmcWorld({ workers: ['queue'] });
  expect(await world.ok('start', '--queue', '--prompt', TASKS[0] ?? '')).toBe('Task 1 is in the queue: llmc queue\n');
  await reaches(world, 'queue', 'needs_review');
  expect(await world.refused(['start', '--prompt', 'Not in the queue'])).toMatchObject({ code: 'NO_IDLE_WORKER' });

  const several = `${TASKS[2]}\n---\nNot wanted any more\n---\n${TASKS[1]}\n`;
  expect(await world.run(['start', '-'], { stdin: several })).toMatchObject({ stdout: 'Tasks 2, 3, 4 are in the queue: llmc queue\n' });
  const impatient = await world.refused(['start', '--queue', '--worker', 'queue', '--prompt', 'Waits', '--wait', '--timeout', '1s']);
  expect(impatient).toMatchObject({ status: 3, code: 'WAIT_TIMEOUT', message: 'no worker has got task 5 yet; it stays in the queue' });
  await world.ok('down');
  // Nothing here needs a supervisor.
  await world.ok('queue', 'edit', '4', '--after', '3');
  expect(await world.ok('queue', 'cancel', '3')).toBe('Task 3 is canceled. Task 4 waited for it: llmc queue edit 4 --after none\n');
  await world.ok('queue', 'edit', '4', '--after', 'none');
  await world.ok('queue', 'cancel', '5');
  expect(await world.ok('queue', 'move', '4', '--first')).toBe('Task 4 is number 1 of the queue.\n');
  expect((await queueOf(world)).map(({ number }) => number)).toEqual([4, 2]);
  expect(await world.ok('status')).toContain('queue: 2 tasks wait for a worker');
  expect(await world.refused(['queue', 'edit', '3', '--prompt', 'x'])).toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  await world.comeUp();

  for (const [index, task] of TASKS.entries()) {
    await reaches(world, 'queue', 'needs_review');
    expect((await world.worker('queue')).current_prompt).toBe(task);
    expect(tasksGiven(world, 'queue')).toEqual(TASKS.slice(0, index + 1));
    await world.ok('accept', 'queue');
    if (index < 2) await until('the next task to begin', async () => tasksGiven(world, 'queue').length === index + 2);
  }
  expect(await world.git('log', '--reverse', '--format=%s', 'main')).toBe(['Begin', ...TASKS].join('\n'));
  expect(deliveriesOf(world, 'queue').map(({ state, attempt }) => `${state} ${attempt}`)).toEqual(['done 1', 'done 1', 'done 1']);
  // Also without a supervisor.
  await world.ok('down');
  const found = async (...words: string[]) => (await world.json(hitsSchema, 'search', ...words)).hits;
  expect(await found('write', 'second')).toEqual([{ kind: 'task', worker: 'queue', task: 4, text: TASKS[1] }]);
  expect(await found('done: ', '--worker', 'queue', '--limit', '2')).toMatchObject([
    { kind: 'answer', worker: 'queue', task: 2, text: 'Done: llmc-demo/queue.md has a new line and the change is committed.' },
    { kind: 'answer', worker: 'queue', task: 4 },
  ]);
  expect(await world.ok('search', 'not wanted', '--limit', '1')).toMatch(/^\d+\w+ {2}task {2}task 3 {2}«Not wanted» any more\n$/);
  expect((await queueOf(world, '--all')).map(({ number, state }) => `${number} ${state}`)).toEqual([
    '1 done',
    '2 done',
    '3 canceled',
    '4 done',
    '5 canceled',
  ]);
});

describe('a prompt template', () => {
  test('is filled and sent to the agent; a missing value is named, and nothing is sent', async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    world.write(
      'templates/fix.md',
      'Fix the {{area}} for {{ who }}: {{prompt}}\n\nIn {{area}} only; {{area}} is $(not) `run`.\n',
      world.root,
    );
    const missing = await world.refused(['start', '--template', 'fix', '--var', 'area=parser']);
    expect(missing).toMatchObject({ status: 2, code: 'INVALID_ARGUMENT', message: 'the template needs a value for who, prompt' });
    expect(missing.hint).toBe('--var who=… --prompt "…"');
    expect(await world.refused(['start', '--template', 'fax', '--prompt', 'x'])).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await world.refused(['start', '--template', '../config', '--prompt', 'x'])).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await world.refused(['start', '--template', 'fix', '--var', 'area', '--prompt', 'x'])).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect(deliveriesOf(world, 'adam')).toEqual([]);
    expect(await world.worker('adam')).toMatchObject({ status: 'idle', delivery: null });

    await world.ok('start', '--template', 'fix', '--var', 'area=a {{who}} = b', '--var', 'who=me', '--prompt', 'Handle {{area}}');
    await reaches(world, 'adam', 'needs_review');
    expect(tasksGiven(world, 'adam')).toEqual([
      'Fix the a {{who}} = b for me: Handle {{area}}\n\nIn a {{who}} = b only; a {{who}} = b is $(not) `run`.',
    ]);
  });
});
