import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deliveriesOf, reaches, tasksGiven } from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const TASKS = ['Write down the first', 'Write down the second', 'Write down the third'];

/** Runs a start that waits in the queue, with its progress messages in a file. */
function queued(world: World, task: string, log: string) {
  world.write(log, '', world.dir);
  return world.shell(`exec "$@" start --queue --prompt '${task}' 2>'${join(world.dir, log)}'`);
}

const waits = (world: World, log: string) =>
  until(`${log} to say that it waits`, async () => readFileSync(join(world.dir, log), 'utf8').includes('Waiting in the queue'));

test('three tasks for one worker wait in the queue, and are done in the order in which they were started', async () => {
  // A worker may be named like the queue itself.
  await using world = await llmcWorld({ workers: ['queue'] });
  expect(await queued(world, 'Write down the first', 'first.log')).toMatchObject({ status: 0, stdout: 'queue has the task.\n' });
  expect(await world.refused(['start', '--prompt', 'Not in the queue'])).toMatchObject({ code: 'NO_IDLE_WORKER' });

  const second = queued(world, 'Write down the second', 'second.log');
  await waits(world, 'second.log');
  const third = queued(world, 'Write down the third', 'third.log');
  const named = world.refused(['start', '--queue', '--worker', 'queue', '--prompt', 'Too impatient', '--timeout', '1s']);
  expect(await named).toMatchObject({ status: 3, code: 'WAIT_TIMEOUT' });

  // llmc must not start a task whose command was killed while it waited.
  const gone = queued(world, 'Not wanted any more', 'gone.log');
  await waits(world, 'gone.log');
  for (const line of world.processes().filter((each) => each.includes('Not wanted any more'))) process.kill(Number.parseInt(line, 10));
  expect((await gone).status).not.toBe(0);

  for (const [index, task] of TASKS.entries()) {
    await reaches(world, 'queue', 'needs_review');
    expect((await world.worker('queue')).current_prompt).toBe(task);
    expect(tasksGiven(world, 'queue')).toEqual(TASKS.slice(0, index + 1));
    await world.ok('accept', 'queue');
    if (index < 2) expect(await [second, third][index]).toMatchObject({ status: 0, stdout: 'queue has the task.\n' });
  }
  expect(await world.git('log', '--reverse', '--format=%s', 'main')).toBe(['Begin', ...TASKS].join('\n'));
  expect(deliveriesOf(world, 'queue').map(({ state, attempt }) => `${state} ${attempt}`)).toEqual(['done 1', 'done 1', 'done 1']);
});

test('a task for any worker and a task for one worker: the second one keeps waiting and does not fail', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await world.ok('start', '--prompt', 'Write down the first');
  const anyone = queued(world, 'Write down the second', 'anyone.log');
  const adam = world.run(['start', '--queue', '--worker', 'adam', '--prompt', 'Write down the third']);
  await waits(world, 'anyone.log');
  for (let turn = 0; turn < 3; turn += 1) {
    await reaches(world, 'adam', 'needs_review');
    await world.ok('accept', 'adam');
    if (turn < 2) await until('the next task to begin', async () => tasksGiven(world, 'adam').length === turn + 2);
  }
  expect([await anyone, await adam].map(({ status }) => status)).toEqual([0, 0]);
  expect(tasksGiven(world, 'adam').toSorted()).toEqual(TASKS.toSorted());
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
