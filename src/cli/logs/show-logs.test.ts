import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { logNames, parseLine } from './show-logs.ts';

test('the log of a removed worker can be read, even if only the rotated file exists', () => {
  using scratch = scratchStore();
  const { layout } = scratch;
  writeFileSync(layout.log('removed'), '');
  writeFileSync(`${layout.log('quiet')}.1`, '');
  expect(logNames(layout, 'removed')).toEqual(['removed']);
  expect(logNames(layout, 'quiet')).toEqual(['quiet']);
  expect(logNames(layout, undefined).toSorted()).toEqual(['quiet', 'removed']);
});

test('a worker without a log is accepted, and an unknown worker is refused', () => {
  using scratch = scratchStore();
  expect(logNames(scratch.layout, 'adam')).toEqual(['adam']);
  for (const name of ['eve', '../adam']) {
    expect(() => logNames(scratch.layout, name)).toThrow(expect.objectContaining({ code: 'WORKER_NOT_FOUND' }));
  }
});

test('the recovery log is not the log of a worker', () => {
  using scratch = scratchStore();
  writeFileSync(scratch.layout.recoveryLog, '');
  writeFileSync(`${scratch.layout.recoveryLog}.1`, '');
  expect(logNames(scratch.layout, undefined)).toEqual([]);
});

test.each([
  ['of a worker', { kind: 'status', summary: 'idle → working' }, 'idle → working'],
  ['of a stage of a run', { kind: 'history', step: 'develop', text: 'done' }, 'develop: done'],
  ['of a run', { kind: 'history', step: null, text: 'the run is done' }, 'the run is done'],
])('a line %s has a summary', (_, line, summary) => {
  expect(parseLine('adam', JSON.stringify({ time: '2026-11-16T17:02:52.039Z', ...line }))).toMatchObject([{ worker: 'adam', summary }]);
});

test('a line of a log that several runs share is of the run that it names', () => {
  const line = { time: '2026-11-16T17:02:52.039Z', level: 'error', run: 'swarm-1', kind: 'error', step: 'develop', text: 'status 1' };
  expect(parseLine('error', JSON.stringify(line))).toMatchObject([{ worker: 'swarm-1', summary: 'develop: status 1' }]);
});
