import { describe, expect, test } from 'vitest';
import type { ProcessRow } from '../../base/ports.ts';
import { aPane, aTmuxWatch, aWatch } from '../samples.ts';
import { needsPulse, noteGap, notePulse } from './pulse-watch.ts';
import type { Watch } from './watch.ts';

const row = (pid: number, changes: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  parent: 1,
  started: '1',
  state: 'runs',
  foreground: true,
  cpuMs: 0,
  memoryBytes: 1,
  ...changes,
});
const watching = () => aWatch({ tmux: aTmuxWatch(aPane({ pid: 10 })) });
const CHILD = { parent: 10 };

describe('an agent is stopped', () => {
  test.each<[string, readonly ProcessRow[], number | undefined]>([
    ['when its process is', [row(10, { state: 'stopped' })], 10],
    ['when the program behind its sandbox is', [row(10), row(11, CHILD), row(12, { parent: 11, state: 'stopped' })], 12],
    ['not by a tool in another terminal', [row(10), row(11, { ...CHILD, state: 'stopped', foreground: false })], undefined],
    ['not by a process of another agent', [row(10), row(20, { state: 'stopped' })], undefined],
    ['not while it runs', [row(10)], undefined],
    ['not without its process in the table', [], undefined],
  ])('%s', (_, rows, pid) => {
    const watch = watching();
    notePulse(watch, rows, 1_000);
    expect(watch.pulse.stopped).toEqual(pid && { pid, since: 1_000 });
    expect(watch.pulse.pausedAt).toBe(pid && 1_000);
  });

  test('since the first reading that shows it, until one that does not', () => {
    const watch = watching();
    for (const at of [1_000, 2_000]) notePulse(watch, [row(10, { state: 'stopped' })], at);
    expect(watch.pulse).toMatchObject({ stopped: { since: 1_000 }, pausedAt: 2_000 });
    notePulse(watch, [row(10)], 3_000);
    expect(watch.pulse).toMatchObject({ stopped: undefined, pausedAt: 2_000 });
  });
});

test('an agent that waits for the disk is paused, and not stopped', () => {
  const watch = watching();
  notePulse(watch, [row(10, { state: 'blocked' })], 1_000);
  expect(watch.pulse).toMatchObject({ stopped: undefined, pausedAt: 1_000 });
});

test('processor time of a descendant is activity too', () => {
  const watch = watching();
  for (const [at, cpuMs] of [
    [1_000, 10],
    [2_000, 10],
    [3_000, 20],
    [4_000, 20],
  ] as const)
    notePulse(watch, [row(10), row(11, { ...CHILD, cpuMs })], at);
  expect(watch.pulse).toMatchObject({ activeAt: 3_000, at: 4_000 });
});

test('a late pass counts as a pause: the machine was suspended', () => {
  const watch = watching();
  noteGap(watch, 4_999);
  expect(watch.pulse.pausedAt).toBeUndefined();
  noteGap(watch, 5_000);
  expect(watch.pulse.pausedAt).toBe(5_000);
});

test('a clock that was set back counts as a pause too', () => {
  const watch = aWatch({ tmux: aTmuxWatch(aPane(), { at: 4_000 }) });
  noteGap(watch, 3_999);
  expect(watch.pulse.pausedAt).toBe(3_999);
});

test('a reading while tmux does not answer changes nothing: an agent that is stopped stays so', () => {
  const watch = watching();
  notePulse(watch, [row(10, { state: 'stopped' })], 1_000);
  const before = watch.pulse;
  watch.tmux = aTmuxWatch('unknown');
  notePulse(watch, [row(10, { state: 'stopped' })], 2_000);
  expect(watch.pulse).toBe(before);
});

test.each<[string, number | undefined, Partial<Watch['pulse']>, boolean, boolean]>([
  ['no prompt is on its way', undefined, {}, false, false],
  ['a prompt was typed a moment ago', 9_500, {}, false, false],
  ['a prompt is late', 9_000, {}, false, true],
  ['a prompt is late, and the table was just read', 9_000, { at: 9_500 }, false, false],
  ['the agent was stopped when the table was last read', undefined, { at: 9_000, stopped: { pid: 10, since: 0 } }, false, true],
  ['the supervisor before this one told a person that the agent is stopped', undefined, {}, true, true],
  ['the same, and the table was just read', undefined, { at: 9_500 }, true, false],
  ['the same, and the clock was set back since', undefined, { at: 99_000 }, true, true],
])('whether the process table is read: %s', (_, since, pulse, reportedStopped, expected) => {
  const watch = watching();
  expect(needsPulse({ ...watch, pulse: { ...watch.pulse, ...pulse } }, since, reportedStopped, 10_000)).toBe(expected);
});
