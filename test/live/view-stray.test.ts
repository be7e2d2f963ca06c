import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scratchTmux, until } from '../support/scratch-tmux.ts';
import { openView } from '../support/view.ts';
import { perform, press, rest } from '../support/view-keys.ts';
import { llmcWorld, type World } from '../support/world.ts';

const SENTENCE = 'can you now fix the login? I need it today';

test('what is typed or pasted while no field is open becomes neither a task nor a message by its own enter', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await using outside = await scratchTmux();
  const view = await openView(outside, world);
  await view.shows(/^▌adam +idle/);
  const target = '=view:';
  const waits = async () => {
    await view.shows(/^task› .*fix the login/);
    await view.keys('Escape');
    await view.shows(/^› .*fix the login/);
    await view.keys('n', 'C-a', 'C-k');
    await view.shows(/^task› *$/);
    await view.keys('Escape');
    await view.shows(/^› n: a task/);
  };

  // A program that types, and a paste that the terminal does not mark.
  await outside.tmux(['send-keys', '-t', target, '-l', `${SENTENCE}\r`]);
  await waits();
  await outside.tmux(['load-buffer', '-b', 'stray', '-'], `${SENTENCE}\nand this\n`);
  await outside.tmux(['paste-buffer', '-b', 'stray', '-t', target]);
  await waits();
  await outside.tmux(['paste-buffer', '-p', '-b', 'stray', '-t', target, ';', 'send-keys', '-t', target, 'Enter']);
  await waits();
  // However late the first enter comes, it may be meant for another terminal.
  await outside.tmux(['paste-buffer', '-p', '-b', 'stray', '-t', target]);
  await view.shows(/^task› .*fix the login/);
  await view.keys('Enter');
  await view.shows(/Press enter again to send it/);
  await waits();

  expect(await world.json(z.object({ tasks: z.array(z.unknown()) }), 'queue', 'list', '--all')).toEqual({ tasks: [] });
  expect((await world.worker('adam')).status).toBe('idle');

  // A person who wants it: the field is open, so one enter sends.
  await view.keys('n');
  await view.shows(/^task› *$/);
  await view.type(SENTENCE);
  await perform([rest('the field'), press('typing', 'enter', /^▌adam +(working|new work)/)], view, outside);
  expect((await world.worker('adam')).current_prompt).toContain('fix the login');
  // The command line completes like a shell.
  await view.keys(':');
  await view.shows(/^: llmc›/);
  await view.type('revi');
  await view.keys('Tab');
  await view.shows(/^: llmc› review *$/);
  await view.type('a');
  await view.keys('Tab');
  await view.shows(/^: llmc› review adam *$/);
  await view.keys('Escape');
  // The work shows its size in the list as soon as it is measured.
  await view.shows(/^▌ +\+1 −0, 1 file · Done/);
  expect(await world.ok('status')).toContain('↳ +1 −0, 1 file. Review it: llmc review adam');
});

const RECORDED = join(import.meta.dirname, '../fixtures/screens/codex/0.166.0/awaiting_question-startup/login-200x50.txt');

/** An agent that shows the recorded login screen of Codex for ever, and keeps what is typed into it. */
function loggedOut(world: World): { readonly typed: () => string } {
  const [program, typed] = [join(world.dir, 'codex'), join(world.dir, 'typed')];
  const screen = `printf '\\033[2J\\033[H'; cat '${RECORDED}'; stty raw -echo; exec cat >>'${typed}'`;
  writeFileSync(program, `#!/bin/sh\nif [ "$1" = --version ]; then echo codex-cli 0.166.0; exit; fi\n${screen}\n`, { mode: 0o755 });
  appendFileSync(join(world.root, 'config.toml'), `\n[agents.codex]\ncommand = ${JSON.stringify(program)}\nchannel = "typing"\n`);
  return { typed: () => (existsSync(typed) ? readFileSync(typed, 'utf8') : '') };
}

test('an agent that is not logged in: status, why, the view and its run say to log in, never to answer', async () => {
  await using world = await llmcWorld({ stage: 'root' });
  const { typed } = loggedOut(world);
  mkdirSync(join(world.root, 'workflows'), { recursive: true });
  const stage = '{ id: look, role: helper, output: answer, prompt: Look. }';
  writeFileSync(join(world.root, 'workflows/asks.yaml'), `name: asks\nroles: { helper: { agent: codex } }\nstages:\n  - ${stage}\n`);
  await world.ok('add', 'gina', '--agent', 'codex');
  await world.ok('up', '--detach');
  await world.ok('run', 'asks', '--detach');
  await until('the login to be noticed', async () => (await world.worker('gina')).attention_kind === 'login');
  const says = 'It is not logged in (Choose how you want to use Codex). Log in: llmc attach gina';
  for (const said of [await world.ok('status'), await world.ok('why', 'gina')]) {
    expect(said).toContain(says);
    expect(said).not.toContain('llmc answer');
  }
  expect((await world.worker('gina')).asks).toBeNull();
  expect(await world.refused(['answer', 'gina', '1'])).toMatchObject({
    code: 'AGENT_BLOCKED',
    message: 'gina is not logged in, and an answer cannot do that',
    hint: 'llmc attach gina',
  });

  await until('the run to ask', async () => (await world.ok('decide')).includes('asks-1#1'));
  for (const said of [await world.ok('decide'), await world.ok('why', 'asks-1')]) {
    expect(said).toMatch(/log in: llmc attach asks-1-helper/i);
    expect(said).not.toMatch(/answer it|llmc answer/i);
  }

  await using outside = await scratchTmux();
  const view = await openView(outside, world);
  await view.shows(/^▌gina +/);
  await view.shows(/not logged in/);
  await view.lacks(/answer it|llmc answer/i);
  expect(typed()).toBe('');
});
