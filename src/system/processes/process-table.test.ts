import { expect, test } from 'vitest';
import { parseProcStat, parsePsLine, processTable } from './process-table.ts';
import { systemProcesses } from './processes.ts';

test('this process is in the table, with a parent, some memory and some processor time', async () => {
  const own = (await processTable(systemProcesses)).find(({ pid }) => pid === process.pid);
  expect(own).toMatchObject({ parent: process.ppid });
  expect(own?.memoryBytes).toBeGreaterThan(10 * 2 ** 20);
  expect(own?.memoryBytes).toBeLessThan(process.memoryUsage().rss * 2);
  expect(own?.cpuMs).toBeGreaterThan(0);
});

const STAT =
  '4711 (a) b (c)) S 42 4711 4711 34816 4711 4194560 1000 0 0 0 150 50 9 9 20 0 11 0 987654 1234567168 25000 18446744073709551615 1 1 0';

const ROW = { pid: 4711, parent: 42, started: '987654', state: 'runs', foreground: true, cpuMs: 2_000, memoryBytes: 102_400_000 };

test.each([
  ['a name full of brackets', STAT, [ROW]],
  ['stopped by a signal', STAT.replace(') S ', ') T '), [{ ...ROW, state: 'stopped' }]],
  ['traced', STAT.replace(') S ', ') t '), [{ ...ROW, state: 'stopped' }]],
  ['waiting for the disk', STAT.replace(') S ', ') D '), [{ ...ROW, state: 'blocked' }]],
  ['in the background of its terminal', STAT.replace('34816 4711', '34816 99'), [{ ...ROW, foreground: false }]],
  ['without a terminal', STAT.replace('34816 4711', '0 -1'), [{ ...ROW, foreground: false }]],
  ['a line cut short', STAT.slice(0, 40), []],
  ['nothing', '', []],
])('/proc: %s', (_, line, rows) => {
  expect(parseProcStat(line)).toEqual(rows);
});

test.each([
  ['minutes', '  501     1  2048 S+   1:02.50 Sun Nov 15 06:00:00 2026', 62_500, 'runs', true],
  ['hours', '501 1 2048 T 1:02:03 Sun Nov 15 06:00:00 2026', 3_723_000, 'stopped', false],
  ['days', '501 1 2048 U+ 2-03:04:05 Sun Nov 15 06:00:00 2026', 183_845_000, 'blocked', true],
])('ps: %s', (_, line, cpuMs, state, foreground) => {
  const started = 'Sun Nov 15 06:00:00 2026';
  expect(parsePsLine(line)).toEqual([{ pid: 501, parent: 1, started, state, foreground, cpuMs, memoryBytes: 2_097_152 }]);
});

test('ps: a line of another shape is passed over', () => {
  expect(parsePsLine('  PID  PPID   RSS')).toEqual([]);
});
