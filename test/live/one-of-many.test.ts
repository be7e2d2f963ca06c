import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeLayout } from '../../src/store/layout.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

const SPARE = '\n[agents.spare]\nextends = "demo"\n';
const DONE = 'echo done >> done.txt';

test('an agent removed from config.toml affects its own worker only, and the next start runs another agent there', async () => {
  await using world = await llmcWorld({ stage: 'root', workers: ['adam'], config: `${SPARE}\n[notify]\ncommand = "${DONE}"\n` });
  await world.ok('add', 'baker', '--agent', 'spare');
  await world.comeUp();
  const file = join(world.root, 'config.toml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replace(SPARE, '\n')
      .replace(/^agent = "spare"\n/m, 'agent = "demo"\n'),
  );

  await until(
    'baker to report the missing agent',
    async () => (await world.worker('baker')).attention?.includes('no agent "spare"') === true,
  );
  const calls = join(world.root, 'done.txt');
  const notified = () => (existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').length - 1 : 0);
  await until('the first notification', async () => notified() === 1);
  for (const task of [1, 2]) {
    await world.ok('start', '--worker', 'adam', '--prompt', `Task ${task}`, '--wait', '--timeout', '90s');
    await world.ok('accept', 'adam');
    // The first notification was for baker; a lasting problem is reported once.
    await until(`notification ${task + 1}`, async () => notified() === task + 1);
  }

  expect(await world.ok('down', '--force')).toContain('Stopped adam, baker');
  await until('all processes to end', async () => world.processes().length === 0);
  await world.comeUp();
  expect(await world.worker('baker')).toMatchObject({ agent: 'demo', status: 'idle', attention: null });
});

test('a silent connection to the supervisor does not prevent down', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  const silent = connect(makeLayout(world.root).apiSocket);
  try {
    await new Promise((resolve) => silent.once('connect', resolve));
    await world.ok('down', '--force');
    await until('all processes to end', async () => world.processes().length === 0);
  } finally {
    silent.destroy();
  }
});

test('a removed tmux socket is made again by tmux, and the agent keeps running without a second one', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  const pid = await world.panePid('adam');
  const { tmuxSocket } = makeLayout(world.root);
  rmSync(tmuxSocket);
  await until('the socket to be back', async () => existsSync(tmuxSocket));
  await world.ok('start', '--prompt', 'Still here', '--wait', '--timeout', '90s');
  expect(await world.panePid('adam')).toBe(pid);
});

test('answer refuses an empty text', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  expect(await world.refused(['answer', 'adam', ''])).toMatchObject({ code: 'INVALID_ARGUMENT' });
});
