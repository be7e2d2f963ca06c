import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMON } from '../../rolldown.config.ts';

const repository = join(import.meta.dirname, '../..');

test('every module that the common chunk names is there', () => {
  const sources = globSync('src/**/*.ts', { cwd: repository });
  const packages = globSync('node_modules/*', { cwd: repository }).map((folder) => `${folder}/`);
  const stale = COMMON.flatMap(alternatives).filter((one) => ![...sources, ...packages].some((path) => new RegExp(one).test(path)));
  expect(stale).toEqual([]);
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
