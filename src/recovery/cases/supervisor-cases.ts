import type { Instant } from '../../base/ports.ts';
import { STALLED_AFTER_MS } from '../decide-stall.ts';

export const WATCHED_AT: Instant = 1_800_000_000_000;
const MINUTE = 60_000;

/** `when` completes the sentence "a supervisor that …". */
interface StallCase {
  readonly when: string;
  readonly lastPassAt: Instant | undefined;
  readonly stalled: boolean;
}

const pass = (when: string, agoMs: number | undefined, stalled: boolean): StallCase => ({
  when,
  lastPassAt: agoMs === undefined ? undefined : WATCHED_AT - agoMs,
  stalled,
});

export const STALL_CASES: readonly StallCase[] = [
  pass('never had a pass', undefined, false),
  pass('had a pass just now', 0, false),
  pass('had its last pass a moment less than two minutes ago', STALLED_AFTER_MS - 1, false),
  pass('had its last pass two minutes ago', STALLED_AFTER_MS, true),
  pass('had its last pass an hour ago', 60 * MINUTE, true),
  pass('had a pass in the future, because the clock was set back', -60 * MINUTE, false),
];

/** `when` names the start. */
interface StartCase {
  readonly when: string;
  readonly earlier: readonly Instant[];
  readonly delayMs: number;
}

const start = (when: string, agoMinutes: readonly number[], delayMs: number): StartCase => ({
  when,
  earlier: agoMinutes.map((minutes) => WATCHED_AT - minutes * MINUTE),
  delayMs,
});

export const START_CASES: readonly StartCase[] = [
  start('the first start', [], 0),
  start('a restart', [1], 0),
  start('a second restart', [1, 2], 0),
  start('a third restart within half an hour', [1, 2, 3], 5_000),
  start('a fourth', [1, 2, 3, 29], 15_000),
  start('a fifth', [1, 2, 3, 4, 5], 30_000),
  start('an eighth', [1, 2, 3, 4, 5, 6, 7, 8], 300_000),
  start(
    'a twentieth',
    Array.from({ length: 20 }, (_, index) => index),
    300_000,
  ),
  start('a start, and all others lie half an hour back', [30, 31, 32, 33], 0),
  start('a start, and the others lie in the future, because the clock was set back', [-1, -2, -3, -4], 0),
];
