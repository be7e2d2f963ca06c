import { expect, test } from 'vitest';
import type { ProcessRow } from '../../base/ports.ts';
import { treeFigures } from './process-trees.ts';

const row = (pid: number, parent: number, cpuMs: number, memoryBytes = 100, started = '1'): ProcessRow => ({
  pid,
  parent,
  state: 'runs',
  foreground: true,
  cpuMs,
  memoryBytes,
  started,
});
const ROOTS = new Map([['adam', 10]]);

const figures = (now: readonly ProcessRow[], before?: readonly ProcessRow[]) =>
  treeFigures(ROOTS, { at: 11_000, rows: now }, before && { at: 1_000, rows: before }).get('adam');

test.each([
  ['the first sample has no rate', [row(10, 1, 5_000)], undefined, { cpuPercent: null, memoryBytes: 100, toolsMs: null }],
  [
    'the share of one core since the last sample',
    [row(10, 1, 5_500)],
    [row(10, 1, 5_000)],
    { cpuPercent: 5, memoryBytes: 100, toolsMs: 0 },
  ],
  [
    'with all its descendants',
    [row(10, 1, 1_000), row(11, 10, 500), row(12, 11, 500), row(13, 1, 9_000)],
    [row(10, 1, 0), row(11, 10, 500)],
    { cpuPercent: 15, memoryBytes: 300, toolsMs: 500 },
  ],
  [
    'another process with the same pid counts from zero',
    [row(10, 1, 700, 100, '2')],
    [row(10, 1, 5_000)],
    { cpuPercent: 7, memoryBytes: 100, toolsMs: 0 },
  ],
  ['two processes that are each other’s parents', [row(10, 11, 0), row(11, 10, 0)], [], { cpuPercent: 0, memoryBytes: 200, toolsMs: 0 }],
  ['a process that has ended has no usage', [row(11, 1, 0)], [], undefined],
  ['nor has one that was killed and is still in the table', [row(10, 1, 5_000, 0)], [row(10, 1, 4_000)], undefined],
])('%s', (_, now, before, expected) => {
  expect(figures(now, before)).toEqual(expected);
});
