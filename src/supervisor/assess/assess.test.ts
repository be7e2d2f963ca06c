import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Activity, Assessment } from '../../agents/activity.ts';
import { NOTHING_REPORTED } from '../observe/reported.ts';
import { ACTIVITIES, anAssessment, aPane, aReading, BUSY, LIMIT, OVERLOADED, PERMISSION, QUESTION, READY } from '../samples.ts';
import {
  assess,
  LATE_SCREEN_WINS_AFTER_MS,
  NEVER_READY_AFTER_MS,
  SCREEN_WINS_AFTER_MS,
  type Seen,
  STALE_FILE_WINS_AFTER_MS,
  STALLED_AFTER_MS,
  STATUS_FILE_WINS_AFTER_MS,
  STILL_BLANK_AFTER_MS,
  UNKNOWN_AFTER_MS,
} from './assess.ts';

const NOW = 1_000_000;
const STARTING: Activity = { kind: 'starting' };
const UNKNOWN: Activity = { kind: 'unknown' };
const BACKGROUND: Activity = { kind: 'processing', detail: 'background' };
const RETRYING: Activity = { kind: 'processing', detail: 'retrying' };
const STARTUP: Activity = { kind: 'awaiting_question', questionType: 'startup', question: 'Trust this folder?', choices: ['Yes', 'No'] };
const LEFT: Activity = { kind: 'exited', how: 'user', status: null, signal: null };

const said = (activity: Activity, agoMs: number) => ({ ...NOTHING_REPORTED, said: { activity, at: NOW - agoMs, seq: 1, event: 'report' } });
const shows = (activity: Activity, forMs: number) => ({ reading: aReading(activity), since: NOW - forMs, at: NOW });
const screened = (activity: Activity) => anAssessment(activity, { source: 'screen' });
const file = (activity: Activity, forMs: number) => ({ activity, since: NOW - forMs });

/** A living agent launched ten seconds ago that has said nothing and shows nothing, except for what the test says. */
const seen = (changes: Partial<Seen>): Seen => ({
  pane: aPane(),
  reported: NOTHING_REPORTED,
  screen: undefined,
  launchedAt: NOW - 10_000,
  ...changes,
});

type Row = readonly [string, Partial<Seen>, Activity['kind'], Assessment['source']];

describe('what an agent is doing', () => {
  test.each<Row>([
    ['nobody knows when tmux does not answer', { pane: 'unknown', reported: said(BUSY, 0), screen: shows(BUSY, 0) }, 'unknown', 'none'],
    ['it has ended when its session is gone', { pane: 'gone', reported: said(BUSY, 0) }, 'exited', 'process'],
    [
      'it has ended when its process did, whatever the last frame shows',
      { pane: aPane({ dead: true }), screen: shows(READY, 9_000) },
      'exited',
      'process',
    ],

    ['it starts until it shows something', {}, 'starting', 'timing'],
    ['it starts while a screen is too young to trust', { screen: shows(READY, SCREEN_WINS_AFTER_MS - 1) }, 'starting', 'timing'],
    ['it is ready when the screen alone has said so long enough', { screen: shows(READY, SCREEN_WINS_AFTER_MS) }, 'ready', 'screen'],
    ['it starts when the screen is older than the agent', { launchedAt: NOW - 100, screen: shows(READY, 9_000) }, 'starting', 'timing'],
    ['it starts while its screen is blank', { screen: shows(STARTING, 60_000) }, 'starting', 'timing'],
    [
      'nobody knows when nothing on its screen is known for long after the launch',
      { launchedAt: NOW - 60_000, screen: shows(UNKNOWN, NEVER_READY_AFTER_MS) },
      'unknown',
      'screen',
    ],
    [
      'nobody knows when its screen stays blank for very long',
      { launchedAt: NOW - 200_000, screen: shows(STARTING, STILL_BLANK_AFTER_MS) },
      'unknown',
      'screen',
    ],
    [
      'it starts, however slowly, while its screen is blank',
      { launchedAt: NOW - 200_000, screen: shows(STARTING, STILL_BLANK_AFTER_MS - 1) },
      'starting',
      'timing',
    ],
    [
      'it starts for a while although nothing on its screen is known',
      { launchedAt: NOW - 60_000, screen: shows(UNKNOWN, NEVER_READY_AFTER_MS - 1) },
      'starting',
      'timing',
    ],
    [
      'it starts, for all that is known, as long as its own word is awaited',
      { launchedAt: NOW - 60_000, reported: said(STARTING, 50_000), screen: shows(UNKNOWN, 50_000) },
      'starting',
      'timing',
    ],

    ['of one that never speaks: it works at first sight', { before: screened(READY), screen: shows(BUSY, 0) }, 'processing', 'screen'],
    [
      'it works on while a ready screen is too young to trust',
      { before: screened(BUSY), screen: shows(READY, SCREEN_WINS_AFTER_MS - 1) },
      'processing',
      'screen',
    ],
    [
      'it has finished when the screen has said so long enough',
      { before: screened(BUSY), screen: shows(READY, SCREEN_WINS_AFTER_MS) },
      'ready',
      'screen',
    ],
    ['it asks at first sight', { before: screened(BUSY), screen: shows(QUESTION, 0) }, 'awaiting_question', 'screen'],
    ['it is what it was while nobody sees its screen', { before: screened(BUSY), screen: undefined }, 'processing', 'screen'],
    ['it is what it was on a strange page', { before: screened(READY), screen: shows(UNKNOWN, UNKNOWN_AFTER_MS - 1) }, 'ready', 'screen'],
    [
      'nobody knows when the strange page stays',
      { before: screened(READY), screen: shows(UNKNOWN, UNKNOWN_AFTER_MS) },
      'unknown',
      'screen',
    ],
    ['nobody knows when a blank page stays', { before: screened(READY), screen: shows(STARTING, UNKNOWN_AFTER_MS) }, 'unknown', 'screen'],
    [
      'once it speaks, its word counts',
      { before: screened(READY), reported: said(BUSY, 100), screen: shows(READY, 100) },
      'processing',
      'hook',
    ],
    ['it is ready soon after it reported its start', { reported: said(STARTING, 250), screen: shows(READY, 250) }, 'ready', 'screen'],
    ['it starts a moment longer after its report', { reported: said(STARTING, 249), screen: shows(READY, 900) }, 'starting', 'timing'],
    ['it asks at start-up as soon as the screen shows a dialog', { screen: shows(STARTUP, 0) }, 'awaiting_question', 'screen'],
    ['it is ready when its status file says so', { live: file(READY, 0), screen: shows(STARTING, 0) }, 'ready', 'status_file'],
    ['a dialog at start-up beats the status file', { live: file(READY, 0), screen: shows(STARTUP, 0) }, 'awaiting_question', 'screen'],
    [
      'a word of the status file that nobody knows says nothing',
      { live: file({ kind: 'unknown' }, 0), screen: shows(READY, 5_000) },
      'ready',
      'screen',
    ],

    ['it does what it last reported', { reported: said(BUSY, 50) }, 'processing', 'hook'],
    [
      'a screen that lags behind its report does not count',
      { reported: said(BUSY, 50), screen: shows(READY, 60_000) },
      'processing',
      'hook',
    ],
    [
      'a screen nobody has looked at since does not count either, however long ago that was',
      { reported: said(READY, 5_000), screen: { ...shows(BUSY, 60_000), at: NOW - 5_100 } },
      'ready',
      'hook',
    ],
    [
      'a screen that contradicts it for long does: the report of the end got lost',
      { reported: said(BUSY, 60_000), screen: shows(READY, SCREEN_WINS_AFTER_MS) },
      'ready',
      'screen',
    ],
    [
      'one that contradicts it for less does not',
      { reported: said(BUSY, 60_000), screen: shows(READY, SCREEN_WINS_AFTER_MS - 1) },
      'processing',
      'hook',
    ],
    [
      'it works on when a screen has shown nothing else since before its report, which may only be late',
      { reported: said(BUSY, LATE_SCREEN_WINS_AFTER_MS - 1), screen: shows(READY, 60_000) },
      'processing',
      'hook',
    ],
    [
      'it has stopped when that stays so',
      { reported: said(BUSY, LATE_SCREEN_WINS_AFTER_MS), screen: shows(READY, 60_000) },
      'ready',
      'screen',
    ],
    [
      'its turn is over when a screen has shown it at work since before its report, which may only be late',
      { reported: said(READY, LATE_SCREEN_WINS_AFTER_MS - 1), screen: shows(BUSY, 60_000) },
      'ready',
      'hook',
    ],
    [
      'it works on when that stays so',
      { reported: said(READY, LATE_SCREEN_WINS_AFTER_MS), screen: shows(BUSY, 60_000) },
      'processing',
      'screen',
    ],
    ['a person gave it work by hand', { reported: said(READY, 60_000), screen: shows(BUSY, 1_500) }, 'processing', 'screen'],
    ['a dialog whose report got lost', { reported: said(BUSY, 60_000), screen: shows(PERMISSION, 1_500) }, 'awaiting_permission', 'screen'],
    ['a dialog that was dismissed with Esc', { reported: said(PERMISSION, 60_000), screen: shows(READY, 1_500) }, 'ready', 'screen'],
    [
      'a screen nobody can read changes nothing',
      { reported: said(BUSY, 60_000), screen: shows({ kind: 'unknown' }, 60_000) },
      'processing',
      'hook',
    ],
    [
      'an agent with a task left running stands at its prompt',
      { reported: said(BACKGROUND, 60_000), screen: shows(READY, 60_000) },
      'processing',
      'hook',
    ],
    [
      'an agent whose turn failed stands at its prompt',
      { reported: said(OVERLOADED, 60_000), screen: shows(READY, 60_000) },
      'error',
      'hook',
    ],
    [
      'an agent that waits for a limit stands at its prompt',
      { reported: said(LIMIT, 60_000), screen: shows(READY, 60_000) },
      'waiting_limit',
      'hook',
    ],
    [
      'an old error on the screen of a ready agent is history',
      { reported: said(READY, 60_000), screen: shows(OVERLOADED, 60_000) },
      'ready',
      'hook',
    ],
    ['an agent that went on after a limit', { reported: said(LIMIT, 60_000), screen: shows(BUSY, 1_500) }, 'processing', 'screen'],
    ['farewell words of a process that lives end nothing', { reported: said(READY, 60_000), screen: shows(LEFT, 60_000) }, 'ready', 'hook'],
    ['not even before its first word', { screen: shows(LEFT, 60_000) }, 'starting', 'timing'],

    [
      'the status file sees an interrupt, which nobody reports',
      { reported: said(BUSY, 60_000), live: file(READY, STATUS_FILE_WINS_AFTER_MS) },
      'ready',
      'status_file',
    ],
    [
      'a status file idle since before the prompt may be late: it gets time to catch up',
      { reported: said(BUSY, STALE_FILE_WINS_AFTER_MS - 1), live: file(READY, 60_000), screen: shows(READY, 60_000) },
      'processing',
      'hook',
    ],
    [
      'one that never went busy is right in the end',
      { reported: said(BUSY, STALE_FILE_WINS_AFTER_MS), live: file(READY, 60_000) },
      'ready',
      'status_file',
    ],
    [
      'one still busy after the end of a turn gets the same time',
      { reported: said(READY, STALE_FILE_WINS_AFTER_MS - 1), live: file(BUSY, 60_000), screen: shows(BUSY, 60_000) },
      'ready',
      'hook',
    ],
    [
      'then it counts: the next turn runs',
      { reported: said(READY, STALE_FILE_WINS_AFTER_MS), live: file(BUSY, 60_000) },
      'processing',
      'status_file',
    ],
    [
      'where both agree it is the report',
      { reported: said(BUSY, 60_000), live: file(BUSY, 60_000), screen: shows(READY, 60_000) },
      'processing',
      'hook',
    ],
    [
      'where the status file says nothing known, the screen still counts',
      { reported: said(BUSY, 60_000), live: file({ kind: 'unknown' }, 60_000), screen: shows(READY, 1_500) },
      'ready',
      'screen',
    ],
  ])('%s', (_, changes, kind, source) => {
    const { activity, source: by } = assess(seen(changes), NOW);
    expect({ kind: activity.kind, source: by }).toEqual({ kind, source });
  });

  test('the screen adds the detail of a retry to the agent’s own word, and names the dialog a status file only announces', () => {
    expect(assess(seen({ reported: said(BUSY, 100), screen: shows(RETRYING, 100) }), NOW).activity).toEqual(RETRYING);
    const open = { kind: 'awaiting_question', questionType: 'multiple_choice', question: '', choices: [] } as const;
    expect(assess(seen({ reported: said(BUSY, 9_000), live: file(open, 500), screen: shows(QUESTION, 500) }), NOW).activity).toEqual(
      QUESTION,
    );
  });

  test('idle without the end of a turn means that somebody interrupted it', () => {
    for (const before of [BUSY, PERMISSION, QUESTION])
      expect(assess(seen({ reported: said(before, 9_000), live: file(READY, 500) }), NOW).activity).toEqual({
        kind: 'ready',
        interrupted: true,
      });
  });

  test.each([
    [{ deadStatus: 0 }, 'user'],
    [{ deadStatus: 130 }, 'user'],
    [{ deadStatus: 1 }, 'crash'],
    [{ deadStatus: 137 }, 'crash'],
    [{ deadSignal: '9' }, 'crash'],
    [{ deadStatus: 0, deadSignal: '9' }, 'crash'],
    [{}, 'unknown'],
  ])('a process that ended with %o ended by: %s', (end, how) => {
    expect(assess(seen({ pane: aPane({ dead: true, ...end }) }), NOW).activity).toMatchObject({ kind: 'exited', how });
  });
});

describe('a stall', () => {
  const busy = { reported: said(BUSY, STALLED_AFTER_MS), screen: shows(BUSY, STALLED_AFTER_MS) };
  test.each<[string, Partial<Seen>, Activity]>([
    [
      'is noticed when nothing has changed for long',
      { ...busy, progressAt: NOW - STALLED_AFTER_MS },
      { kind: 'processing', detail: 'stalled' },
    ],
    ['is none while something changes', { ...busy, progressAt: NOW - STALLED_AFTER_MS + 1 }, BUSY],
    ['is none right after a report, however still the screen was', { ...busy, reported: said(BUSY, 10), progressAt: 0 }, BUSY],
    ['is none while it counts down to a retry', { ...busy, screen: shows(RETRYING, 0), progressAt: 0 }, RETRYING],
    ['is none for an agent at rest', { reported: said(READY, STALLED_AFTER_MS * 9), progressAt: 0 }, READY],
  ])('%s', (_, changes, activity) => {
    expect(assess(seen(changes), NOW).activity).toEqual(activity);
  });
});

describe('whatever the witnesses say', () => {
  const age = fc.integer({ min: 0, max: 20_000 });
  const activity = fc.constantFrom(...ACTIVITIES, BACKGROUND, RETRYING, STARTUP);
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const evidence = {
    reported: fc.oneof(
      fc.constant(NOTHING_REPORTED),
      fc.tuple(activity, age).map((parts) => said(...parts)),
    ),
    screen: maybe(fc.tuple(activity, age).map((parts) => shows(...parts))),
    live: maybe(fc.tuple(activity, age).map((parts) => file(...parts))),
    progressAt: maybe(age.map((ms) => NOW - ms)),
  };
  const anyone = (pane: Seen['pane']) => fc.record(evidence).map((parts) => seen({ ...parts, pane }));

  test('no answer of tmux never makes an agent dead', () => {
    fc.assert(
      fc.property(anyone('unknown'), (one) => {
        expect(assess(one, NOW).activity).toEqual({ kind: 'unknown' });
      }),
    );
  });

  test('only its process makes an agent dead, and always does', () => {
    fc.assert(
      fc.property(anyone(aPane()), (one) => {
        const { activity: living } = assess(one, NOW);
        // Its own reports name no end either: `session_ended` says nothing about the process.
        fc.pre(one.reported.said?.activity.kind !== 'exited' && one.live?.activity.kind !== 'exited');
        expect(living.kind).not.toBe('exited');
        for (const pane of ['gone', aPane({ dead: true, deadStatus: 1 })] as const)
          expect(assess({ ...one, pane }, NOW)).toMatchObject({ activity: { kind: 'exited' }, source: 'process', confidence: 1 });
      }),
    );
  });

  test('a screen never overrules the agent’s own word before its time', () => {
    fc.assert(
      fc.property(anyone(aPane()), (one) => {
        const word = one.reported.said;
        fc.pre(word !== null && word.activity.kind !== 'starting');
        const { source } = assess(one, NOW);
        const heldMs = NOW - Math.max(one.screen?.since ?? NOW, word?.at ?? NOW);
        if (heldMs < SCREEN_WINS_AFTER_MS) expect(source).not.toBe('screen');
      }),
    );
  });

  test('there is always a rule to print, and a confidence between none and full', () => {
    fc.assert(
      fc.property(fc.oneof(anyone(aPane()), anyone('gone'), anyone('unknown')), (one) => {
        const { rule, confidence } = assess(one, NOW);
        expect(rule.length).toBeGreaterThan(5);
        expect(confidence >= 0 && confidence <= 1).toBe(true);
      }),
    );
  });
});

test('at a usage limit the screen adds what the report does not tell', () => {
  const reported = { kind: 'waiting_limit', resetsAt: 5, continuesByItself: false } as const;
  const banner = { kind: 'waiting_limit', resetsAt: 9, continuesByItself: true } as const;
  const activity = (report: Activity, screen: Activity) =>
    assess(seen({ reported: said(report, 50), screen: shows(screen, 50) }), NOW).activity;
  expect(activity(reported, banner)).toEqual({ ...reported, continuesByItself: true });
  expect(activity(LIMIT, banner)).toEqual(banner);
  expect(activity(reported, READY)).toEqual(reported);
  // The report got lost, and the status file says no more than that it is idle.
  const idle = seen({ reported: said(BUSY, 5_000), live: file(READY, 4_900), screen: shows(banner, 4_900) });
  expect(assess(idle, NOW).activity).toEqual(banner);
});
