import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');

/** A command in a person's terminal, with a count of the terminal's bells. */
async function typed(outside: ScratchTmux, world: World, name: string, ...args: string[]) {
  const pane = await outside.start({ name, argv: [process.execPath, COMMAND, ...args], cwd: world.dir, env: world.env });
  const bytes = join(outside.directory, name);
  await outside.tmux(['pipe-pane', '-t', `=${name}:`, `cat > ${bytes}`]);
  return { pane, rings: () => (existsSync(bytes) ? readFileSync(bytes, 'utf8').split('\u0007').length - 1 : 0) };
}

function program(world: World, name: string, line: string): void {
  mkdirSync(join(world.home, 'bin'), { recursive: true });
  writeFileSync(join(world.home, 'bin', name), `#!/bin/sh\n[ "$1" = --version ] || ${line}\n`, { mode: 0o755 });
}

test('a worker that needs a person rings the bell once at llmc up and once at start --wait; review opens the requested viewer', async () => {
  await using world = await llmcWorld({ stage: 'root', workers: ['adam'] });
  await using outside = await scratchTmux();
  const up = await typed(outside, world, 'up', 'up');
  await until('the worker to be ready', async () => (await world.status()).workers[0]?.activity.kind === 'ready');
  const waits = await typed(outside, world, 'waits', 'start', '--prompt', 'Write a poem', '--wait');
  expect(await waits.pane.exit()).toEqual({ status: 0, signal: null });
  await until('both to ring', async () => up.rings() === 1 && waits.rings() === 1);

  const plain = await world.run(['review', 'adam', '--interface', 'difftastic'], { env: { PATH: world.temporary } });
  expect(plain).toMatchObject({ status: 0, stdout: expect.stringContaining('+++ b/llmc-demo/adam.md') });
  expect(plain.stderr).toContain('difftastic is not installed; this is the plain diff');

  program(world, 'code', `{ echo "code $@"; for each; do [ ! -f "$each" ] || cat "$each"; done; }`);
  // difftastic prints the content of files unchanged.
  program(world, 'difft', `printf 'difft %s \\033]0;HACKED\\007\\033[31mred\\033[0m\\n' "$1"`);
  const env = { PATH: `${join(world.home, 'bin')}:${world.env.PATH}` };
  const code = await world.run(['review', 'adam', '--interface', 'vscode'], { env });
  expect(code).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^code --new-window --diff \S+\/1\/before\/adam\.md \S+\/1\/after\/adam\.md\n[^+]+code --reuse-window --wait \S+\/adam\.diff\ndiff --git [\s\S]+\nadam: Write a poem \(/,
    ),
  });
  // It opens copies, so that no setting in the worktree has an effect, and leaves none behind.
  expect(code.stdout).not.toContain(world.worktree('adam'));
  expect(readdirSync(world.temporary).filter((name) => name.startsWith('llmc-review'))).toEqual([]);
  const difft = await world.run(['review', 'adam', '--interface', 'difftastic'], { env });
  expect(difft).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^adam: Write a poem \(.*\n(?:.+\n)+\ndifft llmc-demo\/adam\.md <U\+001B>\]0;HACKED<U\+0007>\u001b\[31mred\u001b\[0m\n/,
    ),
  });

  // A person who requests no viewer gets difftastic, a script the diff.
  const shown = async (name: string, ...args: string[]) => {
    const argv = [process.execPath, COMMAND, 'review', 'adam', ...args] as const;
    const pane = await outside.start({ name, argv, cwd: world.dir, env: { ...world.env, ...env, PAGER: 'cat' }, width: 200 });
    expect(await pane.exit()).toEqual({ status: 0, signal: null });
    return await pane.history();
  };
  expect(await shown('best')).toContain('difft llmc-demo/adam.md');
  expect(await shown('spaces', '--ignore-whitespace')).toContain('+++ b/llmc-demo/adam.md');
  expect((await world.run(['review', 'adam'], { env })).stdout).toContain('+++ b/llmc-demo/adam.md');
  world.set('defaults', 'review_interface = "diff"');
  expect(await shown('chosen')).toContain('+++ b/llmc-demo/adam.md');

  await up.pane.keys('C-c');
  expect(await up.pane.exit()).toEqual({ status: 0, signal: null });
  expect({ up: up.rings(), waits: waits.rings() }).toEqual({ up: 1, waits: 1 });
});

test('Ctrl+C reports what was cancelled and what continues; at a question, it reports that nothing changed', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'], scenario: { adam: 'turns: [{ steps: [{ take: 600s }] }]' } });
  await using outside = await scratchTmux();
  const waits = await typed(outside, world, 'waits', 'start', '--worker', 'adam', 'Take your time', '--wait');
  await waits.pane.waitFor('it to wait', ({ lines }) => lines.some((line) => line.includes('adam has the task; waiting')));
  await waits.pane.keys('C-c');
  expect(await waits.pane.exit()).toEqual({ status: 130, signal: null });
  expect(await waits.pane.history()).toContain('Stopped waiting. The task continues: llmc status');
  expect(await world.worker('adam')).toMatchObject({ status: 'working' });

  const asks = await typed(outside, world, 'asks', 'nuke', 'baker');
  await asks.pane.waitFor('the question', ({ lines }) => lines.some((line) => line.includes('[y/N]')));
  await asks.pane.keys('C-c');
  expect(await asks.pane.exit()).toEqual({ status: 2, signal: null });
  expect(await asks.pane.history()).toContain('CANCELLED: no worker was removed');
  expect(await world.worker('baker')).toMatchObject({ status: 'idle' });
});

test('a terminal that does not know its size counts as 80 columns and 24 rows', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'berta'] });
  await using outside = await scratchTmux();
  await world.ok(
    'start',
    '--worker',
    'adam',
    'Write a poem that is long enough to fill the row of the table, and more than that',
    '--wait',
  );
  await world.ok('start', '--worker', 'berta', 'Write a song', '--wait');
  await world.ok('start', '--queue', 'Write a third text, which waits until one of the two workers is free again, however long');
  const commands = [
    ['status'],
    ['why', 'adam'],
    ['queue'],
    ['runs'],
    ['help'],
    ['help', 'start'],
    ['workflows', 'list'],
    ['diff', 'adam', '--stat'],
  ];
  const printed = async (name: string, first: string) => {
    const lines = commands.map((words) => `"$@" ${words.join(' ')}`).join('; ');
    const argv = ['sh', '-c', `${first}; ${lines}; echo "END $?"; exec sh`, 'sh', process.execPath, COMMAND] as const;
    const pane = await outside.start({ name, argv: [...argv], cwd: world.dir, env: world.env });
    await pane.waitFor('the end', ({ lines: shown }) => shown.includes('END 0'));
    // Ages and figures differ, and the size of the work is measured beside.
    return (await pane.history())
      .replace(/\b\d+(?:ms|s|m|h)\b/g, 'age')
      .replace(/\+1 −0, 1 file\. /g, '')
      .replace(/\d+%|–/g, 'figure')
      .replace(/\u001b\[[0-9;]*m/g, '')
      .replace(/ +/g, ' ');
  };
  expect(await printed('unknown', 'stty cols 0 rows 0')).toBe(await printed('known', ':'));

  // A wait and a view draw again and again.
  const argv = ['sh', '-c', 'stty cols 0 rows 0; "$@"; echo "END $?"; exec sh', 'sh', process.execPath, COMMAND] as const;
  const view = await outside.start({ name: 'view', argv: [...argv], cwd: world.dir, env: world.env });
  await view.waitFor('the list', ({ lines }) => lines.some((line) => /^[▌ ]adam +(new work|to review)/.test(line)));
  await view.keys('Q');
  await view.waitFor('its end', ({ lines }) => lines.includes('END 0'));
  const watch = await outside.start({ name: 'watch', argv: [...argv, 'status', '--watch'], cwd: world.dir, env: world.env });
  await watch.waitFor(
    'the table',
    ({ lines }) => lines.some((line) => line.startsWith('adam ')) && lines.some((line) => line.startsWith('berta ')),
  );
  await watch.keys('C-c');
});
