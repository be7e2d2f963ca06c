import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reaches, tasksGiven } from '../support/agent-side.ts';
import { type Pane, type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { openView } from '../support/view.ts';
import { llmcWorld, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');

const config = (world: World): string => readFileSync(join(world.root, 'config.toml'), 'utf8');
const names = async (world: World): Promise<readonly string[]> => (await world.status()).workers.map(({ name }) => name).toSorted();

async function typed(outside: ScratchTmux, world: World, name: string, ...args: string[]): Promise<Pane> {
  return await outside.start({ name, argv: [process.execPath, COMMAND, ...args], cwd: world.dir, env: world.env, width: 120 });
}
const isAsked = async (pane: Pane, question: string) =>
  await pane.waitFor('the question', ({ lines }) => lines.some((line) => line.includes(question)));

test('a task without an idle worker asks in a terminal whether to add one; each answer does what it says', async () => {
  await using world = await llmcWorld();
  await using outside = await scratchTmux();
  const first = await typed(outside, world, 'first', 'start', '--prompt', 'Write the first');
  await isAsked(first, 'No worker is idle. Add one (bea, demo)? [Y/n/q');
  await first.keys('C-c');
  await first.exit();
  const no = await typed(outside, world, 'no', 'start', '--prompt', 'Not wanted');
  await isAsked(no, 'Add one (bea, demo)?');
  await no.keys('n', 'Enter');
  expect(await no.exit()).toMatchObject({ status: 2 });
  expect(await no.history()).toContain('the task was not started');
  expect(await names(world)).toEqual([]);
  expect(await world.ok('queue')).toBe('The queue is empty.\n');

  const yes = await typed(outside, world, 'yes', 'start', '--prompt', 'Write the second');
  await isAsked(yes, 'Add one (bea, demo)?');
  await yes.keys('Enter');
  expect(await yes.exit()).toMatchObject({ status: 0 });
  expect(await yes.history()).toContain('Added bea. bea has the task.');
  expect(config(world)).toContain('[workers.bea]');
  await reaches(world, 'bea', 'needs_review');
  expect(tasksGiven(world, 'bea')).toEqual(['Write the second']);

  const later = await typed(outside, world, 'later', 'start', '--prompt', 'Write the third');
  await isAsked(later, 'Add one (carl, demo)?');
  await later.keys('q', 'Enter');
  expect(await later.exit()).toMatchObject({ status: 0 });
  expect(await names(world)).toEqual(['bea']);
  expect(await world.ok('queue')).toContain('Write the third  waits for an idle worker');
});

test('without a terminal nothing is asked: the refusal names the commands, and two --add at once make two workers', async () => {
  await using world = await llmcWorld();
  expect(await world.refused(['start', '--prompt', 'One'])).toMatchObject({
    code: 'NO_IDLE_WORKER',
    hint: 'Add one for the task: llmc start --add "…"; or let it wait: llmc start --queue "…"',
  });
  const both = await Promise.all(['One', 'Two'].map(async (task) => await world.run(['start', '--add', '--prompt', task])));
  expect(both.map(({ status, stderr }) => ({ status, stderr }))).toMatchObject([{ status: 0 }, { status: 0 }]);
  expect(await names(world)).toEqual(['bea', 'carl']);
  const given = [...tasksGiven(world, 'bea'), ...tasksGiven(world, 'carl')];
  expect(given.toSorted()).toEqual(['One', 'Two']);
  for (const name of ['bea', 'carl']) await reaches(world, name, 'needs_review');
  // What a task asks for is looked for among the workers, and given to the new one.
  const other = await world.refused(['start', '--model', 'tiny', '--prompt', 'Three']);
  expect(other).toMatchObject({ code: 'NO_IDLE_WORKER', message: 'there is no worker with the model tiny for the task' });
  await world.ok('start', '--add', '--model', 'tiny', '--prompt', 'Three');
  expect(config(world)).toContain('[workers.dora]\nmodel = "tiny"');
  expect(await world.refused(['start', '--add', '--worker', 'bea', '--prompt', 'Four'])).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(await world.refused(['start', '--add', '--agent', 'nobody', '--prompt', 'Four'])).toMatchObject({ code: 'AGENT_NOT_FOUND' });
});

test('a pool of two does five tasks: never more than two workers, and none is left afterwards', async () => {
  await using world = await llmcWorld({ config: '[pool]\nmax = 2\nkeep_secs = 1' });
  const tasks = ['One', 'Two', 'Three', 'Four', 'Five'].map((word) => `Write ${word}`);
  // Nothing is asked, and the command returns when the agent has the task.
  expect(await world.ok('start', '--prompt', tasks[0] ?? '')).toBe('bea has the task.\n');
  await world.run(['start', '-'], { stdin: tasks.slice(1).join('\n---\n') });
  await until(
    'both to have work',
    async () => (await world.status()).workers.filter(({ status }) => status === 'needs_review').length === 2,
  );
  expect(await world.ok('queue')).toContain('waits for a place in the pool (0 of 2 are working, 2 wait for you)');
  expect(await world.ok('start', '--prompt', 'Write Six')).toMatch(
    /^Task 6 is in the queue\. It waits for a place in the pool \(0 of 2 are working, 2 wait for you\): llmc queue\n$/,
  );
  await world.ok('queue', 'cancel', '6');
  const seen = new Set<string>();
  let landed = 0;
  await until('all to land', async () => {
    const { workers } = await world.status();
    expect(workers.length).toBeLessThanOrEqual(2);
    for (const { name, status } of workers) {
      seen.add(name);
      if (status !== 'needs_review') continue;
      await world.ok('accept', name);
      landed += 1;
    }
    return landed === tasks.length;
  });
  expect((await world.git('log', '--format=%s', 'main')).split('\n').toSorted()).toEqual(['Begin', ...tasks].toSorted());
  await until('the pool to be empty', async () => (await names(world)).length === 0);
  expect(config(world)).not.toMatch(/^\[workers/m);
  expect(await world.ok('queue')).toBe('The queue is empty.\n');
  // Their names are not given again while the history knows them.
  await world.ok('start', '--prompt', 'Write again');
  expect(seen).not.toContain((await names(world))[0]);
});

test('a worker of the pool stays while something of it would be lost: a person attached, a draft, or a place in config.toml', async () => {
  await using world = await llmcWorld({ config: '[pool]\nmax = 2\nkeep_secs = 0' });
  await world.ok('start', '--expect', 'answer', '--prompt', 'Why?');
  await reaches(world, 'bea', 'needs_review');
  const socket = join(world.root, 'run', 'tmux.sock');
  await using outside = await scratchTmux();
  const person = await outside.start({ name: 'person', argv: ['tmux', '-S', socket, 'attach', '-t', '=llmc-bea'], cwd: world.dir });
  await person.waitFor('the agent', ({ lines }) => lines.some((line) => line.includes('❯')));
  await person.type('a draft');
  await person.waitFor('the draft', ({ lines }) => lines.some((line) => line.includes('a draft')));
  await world.ok('dismiss', 'bea');
  await reaches(world, 'bea', 'idle');
  // Another worker of the pool comes and goes, while the person is there and after that.
  for (const other of ['carl', 'dora']) {
    await world.ok('start', '--agent', 'demo', '--model', 'tiny', '--expect', 'answer', '--prompt', 'Why not?');
    await reaches(world, other, 'needs_review');
    await world.ok('dismiss', other);
    await until('the other one to be gone', async () => !(await names(world)).includes(other));
    expect(await names(world)).toEqual(['bea']);
    if (other === 'carl') await person.keys('C-b', 'd');
  }
  expect(await world.ok('why', 'bea')).toContain('To keep it: llmc add bea');
  await world.ok('add', 'bea');
  expect(config(world)).toContain('[workers.bea]');
  expect(await world.ok('why', 'bea')).not.toContain('The pool made it');
});

test.each([
  [80, 24],
  [120, 40],
  [200, 50],
])('the view asks the same in place at %i×%i, on a root without any worker, and loses no task', async (width, height) => {
  await using world = await llmcWorld();
  await using outside = await scratchTmux();
  const view = await openView(outside, world, 'view', { width, height });
  await view.shows(/n: a task for the next idle worker/);
  await view.keys('n');
  await view.shows(/^task›/);
  await view.type('Write a poem');
  await view.keys('Enter');
  await view.shows(/No worker is idle\. Add one \(bea, demo\)\? \[Y\/n\/q\]/);
  const askedAt = Date.now();
  expect(await world.ok('queue')).toContain('1  Write a poem  waits for an idle worker');
  // An n that comes sooner may have been typed for the next task.
  await until('the question to be read', async () => Date.now() - askedAt > 300);
  await view.keys('n');
  await view.shows(/^task› Write a poem/);
  expect(await world.ok('queue')).toBe('The queue is empty.\n');
  await view.type(' in two lines');
  await view.keys('Enter');
  await view.shows(/Add one \(bea, demo\)\?/);
  await view.keys('Enter');
  await view.shows(/Added bea \(demo\)\. It takes the first task of the queue/);
  await reaches(world, 'bea', 'needs_review');
  expect(tasksGiven(world, 'bea')).toEqual(['Write a poem in two lines']);

  // The agent and the model of a task are chosen while it is typed, also those that no worker has yet.
  await view.keys('n');
  await view.keys('Tab');
  await view.shows(/^task agent: demo · model: any›/);
  await view.keys('Tab');
  await view.shows(/^task agent: claude · model: any›/);
  await view.type('Write another');
  await view.keys('Enter');
  await view.shows(/Add one \(carl, claude\)\?/);
  await view.keys('q');
  await view.lacks(/Add one/);
  expect(await world.ok('queue', 'show', '3')).toMatch(/no worker of the pool has the agent claude.*for the agent claude/s);
  await view.keys('Q');
  await view.shows(/status 0/);
});
