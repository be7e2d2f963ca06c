import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { historyOf } from '../support/agent-side.ts';
import { scratchTmux, until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');

/** A person's terminal with `llmc attach adam` in it: a tmux inside a tmux. */
async function attach(world: World) {
  const outside = await scratchTmux();
  const pane = await outside.start({
    name: 'person',
    argv: [process.execPath, COMMAND, 'attach', 'adam'],
    cwd: world.dir,
    env: world.env,
    width: 120,
    height: 30,
  });
  return Object.assign(outside, { pane });
}

const prompts = (world: World) =>
  world
    .rows(z.object({ event: z.string() }), "SELECT event FROM events WHERE name = 'prompt_submit' ORDER BY seq")
    .map(({ event }) => z.object({ text: z.string() }).parse(JSON.parse(event)).text);

test('attach shows the agent; a prompt waits while a draft is in the box, and then arrives once', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await using person = await attach(world);
  await person.pane.waitFor('the agent’s screen', ({ lines }) => lines.some((line) => line.includes('llmc demo agent')));
  await person.pane.waitFor('the way back', ({ lines }) => lines.at(-1)?.includes(' Ctrl-b d comes back') === true);
  await person.pane.type('half a thought');
  await person.pane.waitFor('the draft', ({ lines }) => lines.some((line) => line.includes('half a thought')));

  const sending = world.ok('start', '--prompt', 'Write down that people come first', '--timeout', '90s');
  await until('the prompt to be held', async () => (await world.worker('adam')).delivery?.state === 'held');
  const held = async () => (await world.worker('adam')).delivery;
  expect((await held())?.reason).toMatch(/person is typing|draft/);
  // After the person pauses, the draft holds the prompt.
  await until('the draft to be the reason', async () => (await held())?.reason_kind === 'draft_in_box');
  expect((await world.worker('adam')).attention).toContain('llmc attach adam');
  expect(prompts(world)).toEqual([]);

  await person.pane.keys(...Array.from('half a thought', () => 'BSpace'));
  expect(await sending).toContain('adam has the task');
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  expect(prompts(world)).toEqual([expect.stringContaining('people come first')]);
  expect(prompts(world)[0]).not.toContain('half a thought');

  // Detach with the keys that the help names; the agent keeps running.
  await person.pane.keys('C-b');
  await person.pane.keys('d');
  expect((await person.pane.exit()).status).toBe(0);
  expect(await world.worker('adam')).toMatchObject({ status: 'needs_review', activity: { kind: 'ready' } });
  // The agent's terminal was as small as the person's. After the detach, llmc restores its size.
  await until('the size to be restored', async () => historyOf(world, 'adam', 'terminal').length === 1);
  expect(historyOf(world, 'adam', 'terminal')[0]?.summary).toContain('from 120×29 to 200×50');
});

test.each([
  ['the same prefix', 'C-b', 'Ctrl-b Ctrl-b d', ['C-b', 'C-b', 'd']],
  ['another prefix', 'C-a', 'Ctrl-b d', ['C-b', 'd']],
])('inside a tmux with %s, attach names the keys that come back', async (_, prefix, words, keys) => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await using own = await scratchTmux();
  await using terminal = await scratchTmux();
  await own.tmux(['set-option', '-g', 'prefix', prefix]);
  // Only the keys of a client go through the prefix of its server.
  const shell = await own.start({
    name: 'own',
    argv: ['sh', '-c', 'read -r _; "$@"; echo "END $?"; exec sh', 'sh', process.execPath, COMMAND, 'attach', 'adam'],
    cwd: world.dir,
    env: { ...world.env, TMUX: `${own.socket},1,0` },
    width: 100,
    height: 30,
  });
  const person = await terminal.start({
    name: 'person',
    argv: ['tmux', '-S', own.socket, 'attach-session', '-t', '=own'],
    cwd: world.dir,
    width: 100,
    height: 30,
  });
  // The command comes when the terminal has its size: tmux 3.3 forgets the lines above a program that was opening the other screen meanwhile.
  await until('the size of the client', async () => (await shell.screen()).height === 29);
  await person.keys('Enter');
  // The same words stand above the agent's terminal before it opens: a key that comes then is typed into the shell's terminal.
  await person.waitFor('the status line', ({ lines }) =>
    lines.some((line) => line.startsWith('[llmc-adam') && line.includes(`${words} comes back`)),
  );
  await person.keys(...keys);
  await person.waitFor('the shell', ({ lines }) => lines.some((line) => line.includes('END 0')));
  expect((await person.screen()).lines.join('\n')).toContain(`The terminal of adam: ${words} comes back.`);
});

test('a prompt that a person types by hand counts as work, and its commit waits for review', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await using person = await attach(world);
  await person.pane.waitFor('the agent’s screen', ({ lines }) => lines.some((line) => line.includes('llmc demo agent')));
  await person.pane.type('Write down what I typed myself');
  // As a person would: an Enter that arrives in one read with the text may be taken for a part of it.
  await person.pane.waitFor('the text', ({ lines }) => lines.some((line) => line.includes('what I typed myself')));
  await person.pane.keys('Enter');
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  expect(await world.ok('review', 'adam')).toContain('Write down what I typed myself');
  await world.ok('accept', 'adam');
  expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Write down what I typed myself');
});

test('attach refuses with a hint without a terminal, for an unknown worker and for an offline worker', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  expect(await world.refused(['attach', 'adam'])).toMatchObject({ status: 2, code: 'INVALID_ARGUMENT' });
  expect(await world.refused(['attach', 'eve'])).toMatchObject({ status: 2, code: 'WORKER_NOT_FOUND' });
  await world.ok('down');
  expect(await world.refused(['attach', 'adam'])).toMatchObject({ status: 2, code: 'SESSION_NOT_FOUND', hint: 'llmc up --detach' });
});
