import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scratchFolder } from './scratch.ts';

const repository = join(import.meta.dirname, '../..');
/** Tests and their fixtures are tables and stories: they may be long. */
const NOT_COUNTED = /\.(?:test|fixture)\.ts$/;
const sources = globSync('src/**/*.ts', { cwd: repository }).filter((file) => !NOT_COUNTED.test(file));
const lines = new Map(sources.map((file) => [file, readFileSync(join(repository, file), 'utf8').trimEnd().split('\n').length]));

test('no file of src is longer than 300 lines, and half of them have 60 at most', () => {
  expect([...lines].filter(([, count]) => count > 300)).toEqual([]);
  const sorted = [...lines.values()].sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(60);
});

test('no folder of src holds more than 24 files, besides the one with a file per verb', () => {
  const folders = Map.groupBy(sources, (file) => dirname(file));
  const large = [...folders].filter(([folder, files]) => folder !== join('src/cli/verbs') && files.length > 24);
  expect(large.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});

const reportSchema = z.object({
  diagnostics: z.array(
    z.object({ location: z.object({ path: z.string(), start: z.object({ line: z.int() }), end: z.object({ line: z.int() }) }) }),
  ),
});

/** Biome finds the functions; it leaves out blank lines and comments when it counts, so the count here is from the first line to the last. */
test('no function of src is longer than 60 lines', () => {
  using scratch = scratchFolder();
  for (const file of sources) cpSync(join(repository, file), join(scratch.path, file));
  const rule = { level: 'error', options: { maxLines: 30 } };
  const config = { root: true, linter: { rules: { preset: 'none', complexity: { noExcessiveLinesPerFunction: rule } } } };
  writeFileSync(join(scratch.path, 'biome.json'), JSON.stringify(config));
  const args = ['lint', '--max-diagnostics=none', '--reporter=json', '.'];
  const { stdout } = spawnSync(join(repository, 'node_modules/.bin/biome'), args, { cwd: scratch.path, encoding: 'utf8' });
  const found = reportSchema.parse(JSON.parse(stdout)).diagnostics.map(({ location: { path, start, end } }) => ({
    path,
    line: start.line,
    count: end.line - start.line + 1,
  }));
  // Something was found at all: another name of the rule would find nothing for ever.
  expect(found).not.toEqual([]);
  expect(found.filter(({ count }) => count > 60)).toEqual([]);
});
