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
  const tests = textOf('{test/crash,src/workflow/engine}/*.test.ts', 'test/crash/list.test.ts');
  expect(FAULT_POINTS.filter((point) => !code.includes(`fault('${point}')`))).toEqual([]);
  expect(FAULT_POINTS.filter((point) => !new RegExp(`['\`]${point}['@]`).test(tests))).toEqual([]);
});

test('every fault point of the engine is killed in a whole run in real tmux', () => {
  const engine = textOf('src/workflow/**/*.ts', 'src/workflow/**/*.test.ts');
  const runs = textOf('test/crash/{runs,checks,rollback}.test.ts', 'test/crash/list.test.ts');
  const points = FAULT_POINTS.filter((point) => engine.includes(`fault('${point}')`));
  expect(points.length).toBeGreaterThan(10);
  expect(points.filter((point) => !runs.includes(`'${point}`))).toEqual([]);
});
