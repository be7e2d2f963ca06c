import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULT_POINTS } from '../../src/base/fault.ts';

const repository = join(import.meta.dirname, '../..');
const textOf = (files: string, exclude: string): string =>
  globSync(files, { cwd: repository, exclude: [exclude] })
    .map((file) => readFileSync(join(repository, file), 'utf8'))
    .join('\n');

test('every fault point is used in the code, and a crash test kills there', () => {
  const code = textOf('src/**/*.ts', 'src/**/*.test.ts');
  const tests = textOf('test/crash/*.test.ts', 'test/crash/list.test.ts');
  expect(FAULT_POINTS.filter((point) => !code.includes(`fault('${point}')`))).toEqual([]);
  expect(FAULT_POINTS.filter((point) => !new RegExp(`['\`]${point}['@]`).test(tests))).toEqual([]);
});
