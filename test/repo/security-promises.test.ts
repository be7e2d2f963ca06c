import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');

test('every promise of docs/security.md names tests that exist and test something', () => {
  const page = readFileSync(join(repository, 'docs/security.md'), 'utf8');
  const [, table = ''] = /^## What holds these promises$(.*?)^## /ms.exec(page) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise '));
  expect(rows.length).toBeGreaterThan(8);
  for (const row of rows) {
    const named = [...row.matchAll(/`((?:test|src)\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(named, row).not.toEqual([]);
    expect(named.filter((path) => !isTest(join(repository, path)))).toEqual([]);
  }
});

/** A folder of tests, a file with tests, or one with attacks. */
function isTest(path: string): boolean {
  if (!existsSync(path)) return false;
  return statSync(path).isDirectory() || /\b(?:\w*[tT]est)\b.*\(|\bGroup\b|\bAttack\b|harm:/.test(readFileSync(path, 'utf8'));
}
