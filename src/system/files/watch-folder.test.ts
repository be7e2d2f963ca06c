import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { until } from '../../../test/support/scratch-tmux.ts';
import { watchFolder } from './watch-folder.ts';

test('a new file is reported by its name', async () => {
  using scratch = scratchFolder();
  const names = new Set<string | null>();
  using _watch = watchFolder(scratch.path, (name) => names.add(name));
  writeFileSync(join(scratch.path, 'one'), '');
  await until('the change to be reported', async () => names.has('one'));
});

test('a folder that is removed ends the watch without an error', async () => {
  using scratch = scratchFolder();
  const folder = join(scratch.path, 'inner');
  mkdirSync(folder);
  const names: (string | null)[] = [];
  const watch = watchFolder(folder, (name) => names.push(name));
  rmSync(folder, { recursive: true });
  await until('the removal to be reported', async () => names.length > 0);
  watch[Symbol.dispose]();
  watch[Symbol.dispose]();
});

test('a folder that does not exist throws', () => {
  using scratch = scratchFolder();
  expect(() => watchFolder(join(scratch.path, 'none'), () => undefined)).toThrow(/ENOENT/);
});
