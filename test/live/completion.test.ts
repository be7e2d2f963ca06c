import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchTmux } from '../support/scratch-tmux.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');

const SHELLS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  bash: ['bash', '--norc', '--noprofile', '-i'],
  zsh: ['zsh', '-f', '-i'],
  fish: ['fish', '--no-config', '-i'],
};
const LOAD: Readonly<Record<string, string>> = {
  bash: "PS1='ready> '; source <(llmc completion bash)",
  zsh: "PS1='ready> '; source <(llmc completion zsh)",
  fish: "function fish_prompt; echo 'ready> '; end; llmc completion fish | source",
};

test.for(Object.entries(SHELLS))('a person presses Tab in %s, and a hostile name runs nothing', async ([shell, argv], { skip }) => {
  skip(spawnSync(shell, ['--version']).status !== 0, `${shell} is not installed`);
  await using outside = await scratchTmux();
  const root = join(outside.directory, 'root');
  for (const name of ['adam', 'baker', 'b$(touch trapped)', 'b`touch trapped`'])
    mkdirSync(join(root, '.worktrees', name), { recursive: true });
  const bin = join(outside.directory, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'llmc'), `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`, { mode: 0o755 });
  writeFileSync(join(outside.directory, 'a task.md'), 'text\n');
  const env = { HOME: outside.directory, LLMC_ROOT: root, PATH: `${bin}:/bin:/usr/bin` };
  const pane = await outside.start({ name: shell, argv, cwd: outside.directory, env, width: 100 });
  const shows = async (what: string, text: string) => await pane.waitFor(what, ({ lines }) => lines.some((line) => line.includes(text)));
  await pane.waitFor('a prompt', ({ lines }) => lines.some((line) => line.trim() !== ''));
  await pane.type(LOAD[shell] ?? '');
  await pane.keys('Enter');
  await pane.waitFor('the prompt behind the loaded script', ({ lines }) => lines.some((line) => line.trim() === 'ready>'));

  await pane.type('llmc atta');
  await pane.keys('Tab');
  await shows('the verb', 'llmc attach');
  await pane.type('b');
  await pane.keys('Tab');
  await shows('the only worker with a harmless name', 'llmc attach baker');
  // Not Ctrl+C: the terminal drops what is typed until the shell has handled the signal.
  await pane.keys('C-u');
  await pane.type('llmc start -w ad');
  await pane.keys('Tab');
  await shows('the worker of an option', 'llmc start -w adam');
  await pane.type('-f a');
  await pane.keys('Tab');
  await shows('a path, with its space escaped', 'a\\ task.md');
  expect(existsSync(join(outside.directory, 'trapped'))).toBe(false);
});
