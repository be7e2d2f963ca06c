import { describe, expect, test } from 'vitest';
import { EXITED } from '../supervisor/samples.ts';
import { aWorker } from '../workers/samples.ts';
import { decideExit, type ExitStep, type ExitView } from './decide-exit.ts';

const POLICY = { maxCrashes: 3, stillbornMs: 5_000 };
const CLOSED = { ...EXITED, how: 'user', status: 0 } as const;
const GONE = { ...EXITED, how: 'unknown', status: null } as const;
const working = (changes = {}) => aWorker({ status: 'working', ...changes });

const finished = working({ status: 'needs_review', crash_count: 2 });

/** An agent at work that crashed after a minute, seen twice, except for what the test says. */
const view = (changes: Partial<ExitView>): ExitView => ({
  worker: working(),
  resumable: true,
  activity: EXITED,
  livedMs: 60_000,
  wasResumed: false,
  confirmed: true,
  counted: false,
  ...changes,
});

const NOW = 2_000_000_000_000;
const YESTERDAY = NOW / 1_000 - 24 * 3_600;

describe('an agent that ended', () => {
  test.each<
    [string, Partial<ExitView>, Partial<Extract<ExitStep, { kind: 'relaunch' }>> | { kind: 'wait' | 'fail' | 'rest'; called?: boolean }]
  >([
    ['is looked at twice before anything is done', { confirmed: false }, { kind: 'wait' }],
    ['takes up its conversation after a crash and goes on', {}, { conversation: 'resume', goOn: true, countsAsCrash: true }],
    ['starts anew when there was no conversation', { resumable: false }, { conversation: 'fresh', goOn: true }],
    ['counts as crashed when its whole session is gone', { activity: GONE }, { conversation: 'resume', countsAsCrash: true }],
    ['is left at its prompt when a person closed it', { activity: CLOSED }, { conversation: 'resume', goOn: false, countsAsCrash: false }],
    ['starts anew when its conversation cannot be taken up', { livedMs: 4_999, wasResumed: true }, { conversation: 'fresh', goOn: true }],
    ['takes it up when it lived long enough', { livedMs: 5_000, wasResumed: true }, { conversation: 'resume' }],
    ['comes back after its second crash', { worker: working({ crash_count: 1 }) }, { kind: 'relaunch', countsAsCrash: true }],
    [
      'comes back after a day of peace, however often it crashed before',
      { worker: working({ crash_count: 2, last_crash_unix: YESTERDAY }) },
      { kind: 'relaunch', countsAsCrash: true },
    ],
    ['is given up at the third within a day', { worker: working({ crash_count: 2, last_crash_unix: YESTERDAY + 1 }) }, { kind: 'fail' }],
    [
      'is started again when a person sends it on, and the end they were called for counts once',
      { counted: true, worker: working({ crash_count: 0 }) },
      { conversation: 'resume', goOn: true, countsAsCrash: false },
    ],
    [
      'starts anew then, when its conversation could not be taken up',
      { counted: true, livedMs: 10, wasResumed: true },
      { conversation: 'fresh', goOn: true, countsAsCrash: false },
    ],
    ['is looked at twice also then', { counted: true, confirmed: false }, { kind: 'wait' }],
    ['takes no finished work with it at the third', { worker: finished }, { kind: 'rest', called: false }],
    ['is not started again before that work is decided on', { worker: finished, counted: true }, { kind: 'rest', called: true }],
    ['is given up at the third', { worker: working({ crash_count: 2 }) }, { kind: 'fail' }],
    [
      'is not given up when a person closes it, however often it crashed',
      { worker: working({ crash_count: 2 }), activity: CLOSED },
      { goOn: false },
    ],
    ['counts as crashed when it ends at once, however politely', { activity: CLOSED, livedMs: 4_999 }, { countsAsCrash: true }],
    ['is given up when it always does', { activity: CLOSED, livedMs: 10, worker: working({ crash_count: 2 }) }, { kind: 'fail' }],
  ])('%s', (_, changes, expected) => {
    expect(decideExit(view(changes), POLICY, NOW)).toMatchObject(expected);
  });
});
