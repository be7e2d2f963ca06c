import { describe, expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import { aReading, BUSY, QUESTION } from '../samples.ts';
import { readSilence, type Silence } from './read-silence.ts';

const PLAIN = { quietMs: 20_000 };
const UNKNOWN: Activity = { kind: 'unknown' };
const NOW = 1_000_000;
const ago = (seconds: number) => NOW - seconds * 1_000;

/** A program that was started long ago, has been ready, and has written nothing for a minute. */
function silence(changes: Partial<Silence> = {}): Silence {
  return {
    now: NOW,
    launchedAt: ago(600),
    wroteAt: ago(60),
    stillSince: ago(60),
    bellAt: undefined,
    isBlank: false,
    wasReady: true,
    turnSince: undefined,
    tool: undefined,
    ...changes,
  };
}

const read = (changes: Partial<Silence>, shown: Activity = UNKNOWN) => {
  const { activity, confidence, rule } = readSilence(aReading(shown, { kind: 'absent' }), silence(changes), PLAIN);
  return [activity.kind, confidence, rule];
};

describe('a program without patterns and without a prompt', () => {
  const fresh = { wasReady: false, launchedAt: ago(10) };

  test.each<[string, Partial<Silence>, string, string]>([
    ['still draws its first screen', { ...fresh, wroteAt: ago(1) }, 'starting', 'it is still writing its first screen'],
    ['has drawn it', { ...fresh, wroteAt: ago(3) }, 'ready', 'quiet for 3 s after its first output'],
    ['shows nothing yet', { ...fresh, wroteAt: ago(10), isBlank: true }, 'starting', 'the screen is empty'],
    [
      'never shows anything',
      { ...fresh, launchedAt: ago(20), wroteAt: ago(20), isBlank: true },
      'ready',
      'it shows nothing, and has been quiet for 20 s since its start',
    ],
    ['does not stop writing', { ...fresh, launchedAt: ago(30), wroteAt: ago(0) }, 'starting', 'it is still writing its first screen'],
    [
      'never stopped writing',
      { ...fresh, launchedAt: ago(61), wroteAt: ago(0) },
      'unknown',
      'it has not been quiet since its start, so llmc cannot tell when it takes a prompt; declare a line of its prompt as ready',
    ],
    ['writes after it was ready', { wroteAt: ago(0) }, 'ready', 'no prompt is in progress'],
  ])('that %s', (_, changes, kind, rule) => {
    expect(read(changes)).toEqual([kind, expect.any(Number), rule]);
  });
});

describe('a program without patterns that has a prompt', () => {
  test.each<[string, Partial<Silence>, readonly [string, number, string]]>([
    [
      'wrote a moment ago',
      { turnSince: ago(90), wroteAt: ago(2), stillSince: ago(2) },
      ['processing', 0.5, 'not quiet for 20 s since the prompt'],
    ],
    ['has just got it', { turnSince: ago(2) }, ['processing', 0.5, 'not quiet for 20 s since the prompt']],
    ['is quiet', { turnSince: ago(90), wroteAt: ago(20) }, ['ready', 0.5, 'quiet for 20 s']],
    ['is quiet while a tool has the terminal', { turnSince: ago(90), tool: 'make' }, ['processing', 0.7, 'make runs in its terminal']],
    [
      'rang the bell and stopped',
      { turnSince: ago(9), bellAt: ago(3), wroteAt: ago(2) },
      ['ready', 0.8, 'it rang the bell, and has been quiet for 2 s'],
    ],
    ['rang the bell and goes on', { turnSince: ago(9), bellAt: ago(3), wroteAt: ago(0) }, ['processing', 0.5, expect.any(String)]],
    ['rang the bell before the prompt', { turnSince: ago(9), bellAt: ago(30), wroteAt: ago(8) }, ['processing', 0.5, expect.any(String)]],
    [
      'redraws the same screen',
      { turnSince: ago(90), wroteAt: ago(0), stillSince: ago(60) },
      ['ready', 0.4, 'its screen has not changed for 60 s, although it keeps writing'],
    ],
    ['prints forever', { turnSince: ago(9_000), wroteAt: ago(0), stillSince: ago(0) }, ['processing', 0.5, expect.any(String)]],
  ])('and %s', (_, changes, expected) => {
    expect(read(changes)).toEqual(expected);
  });
});

test.each([BUSY, QUESTION])('what the screen says wins over the time: $kind', (shown) => {
  expect(read({ turnSince: ago(90) }, shown)).toEqual([shown.kind, 0.9, 'a sample']);
  expect(readSilence(aReading(shown), silence(), PLAIN).source).toBeUndefined();
});
