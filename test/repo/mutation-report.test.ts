import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DECISION_TESTS, DECISIONS } from '../../scripts/decisions.ts';
import { readMutationReport } from '../../scripts/mutation-report.ts';

const place = (line: number, column: number) => ({ line, column });
const mutant = (status: string, start = place(1, 12), end = place(1, 13)) => ({
  id: '1',
  mutatorName: 'EqualityOperator',
  status,
  replacement: 'a <=\n  b',
  location: { start, end },
});

test('a mutant counts as noticed unless it survived or no test reached it, and ignored ones do not count', () => {
  const mutants = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored'].map((status) => mutant(status));
  const { noticed, all, survivors } = readMutationReport(JSON.stringify({ files: { 'src/a.ts': { source: 'const c = (a)\n', mutants } } }));
  expect({ noticed, all }).toEqual({ noticed: 2, all: 4 });
  expect(survivors).toEqual(Array(2).fill('src/a.ts:1:12 EqualityOperator: a → a <= b'));
});

test('survivors are in the order of files and lines; one of several lines is named by its first', () => {
  const of = (line: number) => mutant('Survived', place(line, 1), place(line + 1, 2));
  const file = { source: 'first\nsecond\nthird\n', mutants: [of(2), of(1)] };
  expect(
    readMutationReport(JSON.stringify({ files: { 'b.ts': file, 'a.ts': file } })).survivors.map((line) => line.split(' → ')[0]),
  ).toEqual([
    'a.ts:1:1 EqualityOperator: first',
    'a.ts:2:1 EqualityOperator: second',
    'b.ts:1:1 EqualityOperator: first',
    'b.ts:2:1 EqualityOperator: second',
  ]);
});

test('each decide-*.ts is among the mutated decisions, with its table', () => {
  const files = globSync('src/**/decide-*.ts', { cwd: join(import.meta.dirname, '../..'), exclude: ['**/*.test.ts'] });
  expect(DECISIONS).toEqual(expect.arrayContaining(files));
  expect(DECISION_TESTS).toEqual(expect.arrayContaining(files.map((file) => file.replace(/ts$/, 'test.ts'))));
});
