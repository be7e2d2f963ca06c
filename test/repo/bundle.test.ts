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

test('every command loads few files, and the schemas only when it needs one', async () => {
  const { output } = await build({ ...config, cwd: repository, write: false });
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const loaded = new Set(['llmc.js']);
  for (const name of loaded) for (const imported of chunks.get(name)?.imports ?? []) if (chunks.has(imported)) loaded.add(imported);
  const modules = [...loaded].flatMap((name) => Object.keys(chunks.get(name)?.modules ?? {}));
  expect(modules.filter((path) => path.includes('node_modules/zod/'))).toEqual([]);
  expect([...loaded].map((name) => chunks.get(name)?.name)).toEqual(['llmc', 'common', 'rolldown-runtime']);
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
