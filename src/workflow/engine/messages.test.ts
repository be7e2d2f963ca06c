import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EngineWorld, type Turn } from './samples.ts';

const write = (worktree: string, name: string, text: string) => {
  mkdirSync(join(worktree, '.llmc-task/out/messages'), { recursive: true });
  writeFileSync(join(worktree, '.llmc-task/out', name), text);
};

/** The researcher sends messages, first without its result: it gets a second turn, in which it writes them again. */
const researcher: Turn = ({ worker, worktree, turn }) => {
  if (!worker.endsWith('researcher')) return;
  write(worktree, 'messages/9.yaml', 'to: developer\ntext: first\n');
  write(worktree, 'messages/10.yaml', 'to: developer\ntext: second\n');
  write(worktree, 'messages/11.yaml', 'to: tester\ntext: nobody\n');
  write(worktree, 'messages/12.yaml', 'to: [');
  if (turn === 1) symlinkSync('/etc/passwd', join(worktree, '.llmc-task/out/messages/13.yaml'));
  if (turn === 2) write(worktree, 'findings.md', '# Findings\n');
};

test.each([0, 1, 2, 4])('messages that an agent leaves are delivered once and in their order (killed after %i)', async (nth) => {
  using world = new EngineWorld({ turn: researcher });
  if (nth > 0) world.killAt('messages:after-post', nth);
  await world.begin('swarm-1');
  while (!world.workers.tasks.some(({ worker }) => worker === 'swarm-1-developer')) await world.round();
  expect(world.kills).toBe(nth > 0 ? 1 : 0);
  const letters = world.database
    .prepare("SELECT data_json FROM run_tasks WHERE kind = 'attempt' AND step = 'develop'")
    .all()
    .map(({ data_json }) => JSON.parse(String(data_json)).letters);
  expect(letters).toEqual([
    [
      { from: 'researcher', text: 'first' },
      { from: 'researcher', text: 'second' },
    ],
  ]);
  expect(world.workers.tasks.at(-1)?.prompt).toContain('Messages for you are in .llmc-task/in/messages/: read them first.');
  const errors = world.database.prepare('SELECT message FROM error_log ORDER BY rowid').all();
  expect(errors.map(({ message }) => message)).toEqual([
    'a message from researcher was not delivered: there is no role "tester"',
    expect.stringContaining('a message from researcher was not delivered: messages/12.yaml: line 1: not valid YAML'),
    'research left no valid result',
  ]);
  // The sender is told with what it is told next.
  expect(world.workers.messages[0]?.text).toContain('Messages for you are in .llmc-task/in/messages/');
});

test('an agent that sends more messages than it may is told once', async () => {
  using world = new EngineWorld({
    turn: ({ worktree }) => {
      for (let number = 1; number <= 30; number += 1) write(worktree, `messages/${number}.yaml`, `to: developer\ntext: "${number}"\n`);
    },
  });
  await world.begin('swarm-1');
  for (let round = 0; round < 20; round += 1) await world.round();
  const { roles } = await world.load('swarm-1');
  expect(roles.developer?.letters.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)));
  const errors = world.database.prepare("SELECT message FROM error_log WHERE code = 'ROUTING_FAILED'").all();
  expect(errors).toEqual([{ message: 'a message from researcher was not delivered: only the first 20 messages of a task are delivered' }]);
});

test('a message for an agent whose turn ends meanwhile comes with its next task', async () => {
  using world = new EngineWorld();
  await world.begin('swarm-1');
  await world.round();
  await world.post('swarm-1', 'm1', { kind: 'message', from: 'reviewer', to: 'researcher', text: 'late' });
  world.workers.deliver = () => Promise.resolve(false);
  await world.round();
  await world.round();
  expect((await world.load('swarm-1')).roles.researcher?.letters).toEqual([{ from: 'reviewer', text: 'late' }]);
});

test('a message that a crash kept from its agent comes with its next try', async () => {
  using world = new EngineWorld({ turn: () => undefined });
  await world.begin('swarm-1');
  world.crashNext('swarm-1-researcher');
  await world.round();
  world.workers.workers.get('swarm-1-researcher')?.missed.push({ id: 'swarm-1.9', text: 'Message from a person:\n> Use tabs.' });
  for (let round = 0; round < 8; round += 1) await world.round();
  expect(world.workers.tasks.map(({ prompt }) => prompt.includes('Messages for you are in'))).toEqual([false, true]);
});
