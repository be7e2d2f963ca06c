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
  const folders = new Set(sources.flatMap((file) => foldersAbove(file)));
  expect(drawnFolders().sort()).toEqual([...folders].sort());
});

/** Also a folder that holds only folders. */
function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === 'src' ? [] : [folder, ...foldersAbove(folder)];
}

test('every file that the page names exists', () => {
  const named = [...page.matchAll(/`((?:[\w-]+\/)*[\w-]+\.ts)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(50);
  const missing = named.filter((file) => !sources.some((source) => source.endsWith(`/${file}`)));
  expect(missing.filter((file) => globSync(`**/${file}`, { cwd: repository, exclude: ['node_modules/**'] }).length === 0)).toEqual([]);
});

/** The files of one path on the page, each with the arrow before it. */
function pathOf(name: string): { readonly arrow: string; readonly file: string }[] {
  const [, path = ''] =
    new RegExp(`${name.replaceAll('`', '\\`')}([\\s\\S]*?)(?:\\n\\n(?!\\||\\x60cli)|The caller then|$)`).exec(page) ?? [];
  return [...path.matchAll(/(⇢?)\s*`((?:[\w-]+\/)*[\w-]+\.ts)`/g)].map(([, arrow = '', file = '']) => ({ arrow, file }));
}

const paths = [
  'One pass',
  'From the verb to a row',
  'From the row to the acknowledgement',
  'From the end of the turn',
  'The path of `llmc accept`',
];

test.each(paths)('the path "%s" names files, none of them twice', (name) => {
  const files = pathOf(name).map(({ file }) => file);
  expect(files.length).toBeGreaterThan(1);
  expect(new Set(files).size).toBe(files.length);
});

test.each(paths)('in the path "%s", each file is imported by one before it', (name) => {
  const before: string[] = [];
  const unreached: string[] = [];
  for (const { arrow, file } of pathOf(name)) {
    const [source = '', ...others] = sources.filter((each) => each.endsWith(`/${file}`));
    expect(others, `${file} is the name of several files`).toEqual([]);
    if (before.length > 0 && arrow === '' && !before.some((each) => importsOf(each).has(source))) unreached.push(file);
    before.push(source);
  }
  expect(unreached).toEqual([]);
});

/** The files whose values, not only types, this file imports, also on demand. */
function importsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(join(repository, file), 'utf8');
  const named = text.matchAll(/^import (?!type\b)[^;]*?from '(\.[^']*)'|\bimport\('(\.[^']*)'\)/gm);
  return new Set([...named].map(([, from, onDemand]) => join(dirname(file), from ?? onDemand ?? '')));
}
