import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FAULT_POINTS } from './fault.ts';

const SOURCE = join(import.meta.dirname, 'fault.ts');

/** Passes the points in order in a process of its own; returns how many it survived, and what ended it. */
function passing(points: readonly string[], armed: string | undefined) {
  const script = `
    const { fault } = await import(${JSON.stringify(SOURCE)});
    for (const point of ${JSON.stringify(points)}) { fault(point); process.stdout.write('.'); }`;
  const env = armed === undefined ? {} : { LLMC_FAULT: armed };
  const { stdout, signal, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' });
  return { passed: stdout.length, end: signal ?? status };
}

describe('a fault point', () => {
  const POINTS = ['delivery:after-paste', 'accept:after-land', 'delivery:after-paste', 'delivery:after-paste'];

  test.each<[string, string | undefined, { passed: number; end: number | string }]>([
    ['does nothing when none is armed', undefined, { passed: 4, end: 0 }],
    ['does nothing when the variable is empty', '', { passed: 4, end: 0 }],
    ['kills the process like kill -9 where it is armed', 'accept:after-land', { passed: 1, end: 'SIGKILL' }],
    ['kills at the first passing when no number is given', 'delivery:after-paste', { passed: 0, end: 'SIGKILL' }],
    ['kills at the passing that is named', 'delivery:after-paste@2', { passed: 2, end: 'SIGKILL' }],
    ['lets live when it is passed less often than that', 'delivery:after-paste@4', { passed: 4, end: 0 }],
    ['does nothing for another point', 'state:before-rename', { passed: 4, end: 0 }],
  ])('%s', (_, armed, expected) => {
    expect(passing(POINTS, armed)).toEqual(expected);
  });

  test('every point has a unique name without the sign that separates the count', () => {
    expect(new Set(FAULT_POINTS).size).toBe(FAULT_POINTS.length);
    for (const point of FAULT_POINTS) expect(point).toMatch(/^[a-z-]+:[a-z-]+$/);
  });
});
