import { describe, expect, test } from 'vitest';
import { EXITED } from '../supervisor/samples.ts';
import { aWorker } from '../workers/samples.ts';
import { decideExit, type ExitStep, type ExitView } from './decide-exit.ts';

const POLICY = { maxCrashes: 3, stillbornMs: 5_000 };
const CLOSED = { ...EXITED, how: 'user', status: 0 } as const;
const GONE = { ...EXITED, how: 'unknown', status: null } as const;
const working = (changes = {}) => aWorker({ status: 'working', ...changes });

const finished = working({ status: 'needs_review', crash_count: 2 });

/** An agent that crashed at work after a minute, observed dead twice, with the test's changes. */
const view = (changes: Partial<ExitView>): ExitView => ({
  worker: working(),
  resumable: true,
  activity: EXITED,
  livedMs: 60_000,
  resumeFailed: false,
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
    ['is observed twice before llmc acts', { confirmed: false }, { kind: 'wait' }],
    ['resumes its conversation and its task after a crash', {}, { conversation: 'resume', goOn: true, countsAsCrash: true }],
    ['starts a new conversation when there was none', { resumable: false }, { conversation: 'fresh', goOn: true }],
    ['counts as crashed when its whole session is gone', { activity: GONE }, { conversation: 'resume', countsAsCrash: true }],
    ['is left at its prompt when a person closed it', { activity: CLOSED }, { conversation: 'resume', goOn: false, countsAsCrash: false }],
    ['starts a new conversation when the old one cannot be resumed', { resumeFailed: true }, { conversation: 'fresh', goOn: true }],
    ['keeps its conversation when it crashes again within seconds', { livedMs: 100 }, { conversation: 'resume', countsAsCrash: true }],
    ['is started again after its second crash', { worker: working({ crash_count: 1 }) }, { kind: 'relaunch', countsAsCrash: true }],
    [
      'is started again after a day without crashes, however often it crashed before',
      { worker: working({ crash_count: 2, last_crash_unix: YESTERDAY }) },
      { kind: 'relaunch', countsAsCrash: true },
    ],
    [
      'is given up at the third crash within a day',
      { worker: working({ crash_count: 2, last_crash_unix: YESTERDAY + 1 }) },
      { kind: 'fail' },
    ],
    [
      'is started again when a person continues it, and the reported end counts once',
      { counted: true, worker: working({ crash_count: 0 }) },
      { conversation: 'resume', goOn: true, countsAsCrash: false },
    ],
    [
      'starts a new conversation then, when the old one could not be resumed',
      { counted: true, resumeFailed: true },
      { conversation: 'fresh', goOn: true, countsAsCrash: false },
    ],
    ['is observed twice also then', { counted: true, confirmed: false }, { kind: 'wait' }],
    ['leaves finished work untouched at the third crash', { worker: finished }, { kind: 'rest', called: false }],
    ['is not started again before a person reviews that work', { worker: finished, counted: true }, { kind: 'rest', called: true }],
    ['is given up at the third crash', { worker: working({ crash_count: 2 }) }, { kind: 'fail' }],
    [
      'is not given up when a person closes it, however often it crashed',
      { worker: working({ crash_count: 2 }), activity: CLOSED },
      { goOn: false },
    ],
    [
      'counts as crashed when it ends right after its start, also with status 0',
      { activity: CLOSED, livedMs: 4_999 },
      { countsAsCrash: true },
    ],
    [
      'is given up when it always ends right after its start',
      { activity: CLOSED, livedMs: 10, worker: working({ crash_count: 2 }) },
      { kind: 'fail' },
    ],
  ])('%s', (_, changes, expected) => {
    expect(decideExit(view(changes), POLICY, NOW)).toMatchObject(expected);
  });
});
