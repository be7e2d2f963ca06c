import { describe, expect, test } from 'vitest';
import { aWorker } from '../workers/samples.ts';
import { crashesInARow, oneMoreCrash } from './crashes.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const DAY = 24 * 3_600_000;
const crashed = (times: number, agoMs: number) => aWorker({ crash_count: times, last_crash_unix: (NOON - agoMs) / 1_000 });

describe('crashes in a row', () => {
  test.each([
    ['none', aWorker(), 0],
    ['two a moment ago', crashed(2, 1_000), 2],
    ['two almost a day ago', crashed(2, DAY - 1_000), 2],
    ['two a day ago, and none since', crashed(2, DAY), 0],
    ['two without a recorded time', aWorker({ crash_count: 2, last_crash_unix: null }), 2],
  ])('%s', (_, worker, expected) => {
    expect(crashesInARow(worker, NOON)).toBe(expected);
    expect(oneMoreCrash(worker, NOON + 999)).toEqual({ crash_count: expected + 1, last_crash_unix: NOON / 1_000 });
  });
});
