import { globSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { expect, test } from 'vitest';
import config, { COMMON } from '../../rolldown.config.ts';

const repository = join(import.meta.dirname, '../..');

test('every module that the common chunk names is there', () => {
  const sources = globSync('src/**/*.ts', { cwd: repository });
  const packages = globSync('node_modules/*', { cwd: repository }).map((folder) => `${folder}/`);
  const stale = COMMON.flatMap(alternatives).filter((one) => ![...sources, ...packages].some((path) => new RegExp(one).test(path)));
  expect(stale).toEqual([]);
});

/** The files that importing one of them loads, and the modules in them. */
async function bundle() {
  const { output } = await build({ ...config, cwd: repository, write: false });
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const loadedWith = (file: string) => {
    const loaded = new Set([file]);
    for (const name of loaded) for (const imported of chunks.get(name)?.imports ?? []) if (chunks.has(imported)) loaded.add(imported);
    return [...loaded].flatMap((name) => chunks.get(name) ?? []);
  };
  const fileOf = (module: string) =>
    [...chunks].find(([, { modules }]) => Object.keys(modules).some((path) => path.endsWith(module)))?.[0] ?? '';
  return { loadedWith, fileOf };
}

const modulesIn = (chunks: readonly { readonly modules: object }[]) => chunks.flatMap(({ modules }) => Object.keys(modules));

test('every command loads few files, schemas and workflows only when it needs them', async () => {
  const { loadedWith, fileOf } = await bundle();
  const always = loadedWith('llmc.js');
  expect(always.map(({ name }) => name)).toEqual(['llmc', 'common', 'rolldown-runtime']);
  // The names of run workers are a few lines that the status needs.
  expect(modulesIn(always).filter((path) => /node_modules\/(?:zod|yaml)\/|\/src\/workflow\/(?!model\/run-names)/.test(path))).toEqual([]);
  // What a command without a supervisor does itself. Only `llmc run` reads YAML.
  const operations = loadedWith(fileOf('src/supervisor/api/operations.ts'));
  expect(modulesIn(operations)).toContainEqual(expect.stringContaining('src/workers/accept-work.ts'));
  expect(modulesIn(operations).filter((path) => path.includes('node_modules/yaml/'))).toEqual([]);
});

/** `a/(b|c/(d|e))` names a/b, a/c/d and a/c/e. */
function alternatives(pattern: string): readonly string[] {
  const open = pattern.indexOf('(');
  if (open === -1) return [pattern];
  const parts: string[] = [''];
  let depth = 0;
  let end = open;
  for (; end < pattern.length; end += 1) {
    const letter = pattern[end] ?? '';
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (depth === 0) break;
    if (depth === 1 && letter === '|') parts.push('');
    else if (end > open) parts[parts.length - 1] += letter;
  }
  return parts.flatMap((part) => alternatives(`${pattern.slice(0, open)}${part}${pattern.slice(end + 1)}`));
}
