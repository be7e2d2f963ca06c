import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');
const page = readFileSync(join(repository, 'docs/architecture.md'), 'utf8');
const sources = globSync('src/**/*.ts', { cwd: repository });

/** The folders of the drawn tree, as paths below src. */
function drawnFolders(): string[] {
  const [, tree = ''] = /^src\/\n([\s\S]*?)^test\//m.exec(page) ?? [];
  const path: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', name = ''] = /^((?:[│ ] {3})*)[├└]── ([\w-]+)\//.exec(line) ?? [];
    if (name === '') return [];
    path.splice(indent.length / 4, Infinity, name);
    return [join('src', ...path)];
  });
}

test('the tree on the page has one line for every folder of src, and no other', () => {
  const folders = new Set(sources.map((file) => dirname(file)));
  expect(drawnFolders().sort()).toEqual([...folders].sort());
});

test('every file that the page names exists', () => {
  const named = [...page.matchAll(/`((?:[\w-]+\/)*[\w-]+\.ts)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(50);
  const missing = named.filter((file) => !sources.some((source) => source.endsWith(`/${file}`)));
  expect(missing.filter((file) => globSync(`**/${file}`, { cwd: repository, exclude: ['node_modules/**'] }).length === 0)).toEqual([]);
});

test.each([
  ['One pass', 19],
  ['From the verb to a row', 16],
  ['From the row to the acknowledgement', 11],
  ['From the end of the turn', 3],
  ['The path of `llmc accept`', 20],
])('the path "%s" names %i files, none of them twice', (name, count) => {
  const [, path = ''] = new RegExp(`${name.replaceAll('`', '\\`')}([\\s\\S]*?)(?:\\n\\n(?!\\d|\\|)|The caller then|$)`).exec(page) ?? [];
  const files = [...path.matchAll(/`((?:[\w-]+\/)*[\w-]+\.ts)`/g)].map(([, file]) => file);
  expect(new Set(files).size).toBe(files.length);
  expect(files.length).toBe(count);
});
