import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Activity, Assessment } from '../../agents/activity.ts';
import { NOTHING_REPORTED } from '../observe/reported.ts';
import { ACTIVITIES, anAssessment, aPane, aReading, BUSY, LIMIT, OVERLOADED, PERMISSION, QUESTION, READY } from '../samples.ts';
import {
  AGENT_STALLED_AFTER_MS,
  assess,
  type Evidence,
  LATE_SCREEN_WINS_AFTER_MS,
  MENU_ASKS_AFTER_MS,
  NEVER_READY_AFTER_MS,
  SCREEN_WINS_AFTER_MS,
  STALE_FILE_WINS_AFTER_MS,
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

const reports = (activity: Activity, agoMs: number) => ({
  ...NOTHING_REPORTED,
  latest: { activity, at: NOW - agoMs, seq: 1, event: 'report' },
});
const shows = (activity: Activity, forMs: number) => ({ reading: aReading(activity), since: NOW - forMs, at: NOW });
const screened = (activity: Activity) => anAssessment(activity, { source: 'screen' });
const file = (activity: Activity, forMs: number) => ({ activity, since: NOW - forMs });

/** A living agent, launched ten seconds ago, without a report and without a screen, with the test's changes. */
const evidenceOf = (changes: Partial<Evidence>): Evidence => ({
  pane: aPane(),
  reported: NOTHING_REPORTED,
  screen: undefined,
  launchedAt: NOW - 10_000,
  ...changes,
});

type Row = readonly [string, Partial<Evidence>, Activity['kind'], Assessment['source']];

describe('what an agent is doing', () => {
  test.each<Row>([
    ['it is unknown when tmux does not answer', { pane: 'unknown', reported: reports(BUSY, 0), screen: shows(BUSY, 0) }, 'unknown', 'none'],
    ['it has ended when its session is gone', { pane: 'gone', reported: reports(BUSY, 0) }, 'exited', 'process'],
    [
      'it has ended when its process did, whatever the last frame shows',
      { pane: aPane({ dead: true }), screen: shows(READY, 9_000) },
      'exited',
      'process',
    ],
    [
      'it is unknown while its process is stopped, whatever it reported and shows',
      { stopped: { pid: 7, since: 0 }, reported: reports(READY, 0), screen: shows(READY, 9_000), live: file(READY, 9_000) },
      'unknown',
      'process',
    ],

    ['it is starting until it shows something', {}, 'starting', 'timing'],
    ['it is starting while a screen is too young to trust', { screen: shows(READY, SCREEN_WINS_AFTER_MS - 1) }, 'starting', 'timing'],
    ['it is ready when the screen alone has shown it long enough', { screen: shows(READY, SCREEN_WINS_AFTER_MS) }, 'ready', 'screen'],
    [
      'it is starting when the screen is older than the agent',
      { launchedAt: NOW - 100, screen: shows(READY, 9_000) },
      'starting',
      'timing',
    ],
    ['it is starting while its screen is blank', { screen: shows(STARTING, 60_000) }, 'starting', 'timing'],
    [
      'it is unknown when no rule has matched its screen for long after the launch',
      { launchedAt: NOW - 60_000, screen: shows(UNKNOWN, NEVER_READY_AFTER_MS) },
      'unknown',
      'screen',
    ],
    [
      'it is unknown when its screen stays blank for very long',
      { launchedAt: NOW - 200_000, screen: shows(STARTING, STILL_BLANK_AFTER_MS) },
      'unknown',
      'screen',
    ],
    [
      'it is starting, however slowly, while its screen is blank',
      { launchedAt: NOW - 200_000, screen: shows(STARTING, STILL_BLANK_AFTER_MS - 1) },
      'starting',
      'timing',
    ],
    [
      'it is starting for a while although no rule matches its screen',
      { launchedAt: NOW - 60_000, screen: shows(UNKNOWN, NEVER_READY_AFTER_MS - 1) },
      'starting',
      'timing',
    ],
    [
      'it is starting as long as its first report is expected',
      { launchedAt: NOW - 60_000, reported: reports(STARTING, 50_000), screen: shows(UNKNOWN, 50_000) },
      'starting',
      'timing',
    ],

    ['without reports: it is busy at the first capture', { before: screened(READY), screen: shows(BUSY, 0) }, 'processing', 'screen'],
    [
      'it stays busy while a ready screen is too young to trust',
      { before: screened(BUSY), screen: shows(READY, SCREEN_WINS_AFTER_MS - 1) },
      'processing',
      'screen',
    ],
    [
      'it has finished when the screen has shown it long enough',
      { before: screened(BUSY), screen: shows(READY, SCREEN_WINS_AFTER_MS) },
      'ready',
      'screen',
    ],
    ['it asks at the first capture', { before: screened(BUSY), screen: shows(QUESTION, 0) }, 'awaiting_question', 'screen'],
    ['it stays what it was without a capture', { before: screened(BUSY), screen: undefined }, 'processing', 'screen'],
    [
      'it stays what it was on an unknown page',
      { before: screened(READY), screen: shows(UNKNOWN, UNKNOWN_AFTER_MS - 1) },
      'ready',
      'screen',
    ],
    [
      'it is unknown when the unknown page stays',
      { before: screened(READY), screen: shows(UNKNOWN, UNKNOWN_AFTER_MS) },
      'unknown',
      'screen',
    ],
    ['it is unknown when a blank page stays', { before: screened(READY), screen: shows(STARTING, UNKNOWN_AFTER_MS) }, 'unknown', 'screen'],
    ['its first report counts', { before: screened(READY), reported: reports(BUSY, 100), screen: shows(READY, 100) }, 'processing', 'hook'],
    ['it is ready soon after it reported its start', { reported: reports(STARTING, 250), screen: shows(READY, 250) }, 'ready', 'screen'],
    [
      'it is starting a moment longer after its report',
      { reported: reports(STARTING, 249), screen: shows(READY, 900) },
      'starting',
      'timing',
    ],
    ['it asks at start-up as soon as the screen shows a dialog', { screen: shows(STARTUP, 0) }, 'awaiting_question', 'screen'],
    ['it is ready when its status file reports it', { live: file(READY, 0), screen: shows(STARTING, 0) }, 'ready', 'status_file'],
    ['a dialog at start-up beats the status file', { live: file(READY, 0), screen: shows(STARTUP, 0) }, 'awaiting_question', 'screen'],
    [
      'an unknown word of the status file is not evidence',
      { live: file({ kind: 'unknown' }, 0), screen: shows(READY, 5_000) },
      'ready',
      'screen',
    ],

    ['it does what it last reported', { reported: reports(BUSY, 50) }, 'processing', 'hook'],
    [
      'a screen that lags behind its report does not count',
      { reported: reports(BUSY, 50), screen: shows(READY, 60_000) },
      'processing',
      'hook',
    ],
    [
      'a screen without a capture since does not count either, however old it is',
      { reported: reports(READY, 5_000), screen: { ...shows(BUSY, 60_000), at: NOW - 5_100 } },
      'ready',
      'hook',
    ],
    [
      'a screen that contradicts it for long counts: the report of the end got lost',
      { reported: reports(BUSY, 60_000), screen: shows(READY, SCREEN_WINS_AFTER_MS) },
      'ready',
      'screen',
    ],
    [
      'a screen that contradicts it for less does not count',
      { reported: reports(BUSY, 60_000), screen: shows(READY, SCREEN_WINS_AFTER_MS - 1) },
      'processing',
      'hook',
    ],
    [
      'it stays busy when a screen has shown nothing else since before its report, which may only be late',
      { reported: reports(BUSY, LATE_SCREEN_WINS_AFTER_MS - 1), screen: shows(READY, 60_000) },
      'processing',
      'hook',
    ],
    [
      'it has stopped when the screen stays so',
      { reported: reports(BUSY, LATE_SCREEN_WINS_AFTER_MS), screen: shows(READY, 60_000) },
      'ready',
      'screen',
    ],
    [
      'its turn is over when a screen has shown it at work since before its report, which may only be late',
      { reported: reports(READY, LATE_SCREEN_WINS_AFTER_MS - 1), screen: shows(BUSY, 60_000) },
      'ready',
      'hook',
    ],
    [
      'it is busy when the screen stays so',
      { reported: reports(READY, LATE_SCREEN_WINS_AFTER_MS), screen: shows(BUSY, 60_000) },
      'processing',
      'screen',
    ],
    [
      'a dialog is open when its report is younger than a busy screen, which may only be late',
      { reported: reports(PERMISSION, LATE_SCREEN_WINS_AFTER_MS - 1), screen: shows(BUSY, 60_000) },
      'awaiting_permission',
      'hook',
    ],
    [
      'a dialog that never appears is not open',
      { reported: reports(PERMISSION, LATE_SCREEN_WINS_AFTER_MS), screen: shows(BUSY, 60_000) },
      'processing',
      'screen',
    ],
    ['a person gave it work by hand', { reported: reports(READY, 60_000), screen: shows(BUSY, 1_500) }, 'processing', 'screen'],
    [
      'a dialog whose report got lost',
      { reported: reports(BUSY, 60_000), screen: shows(PERMISSION, 1_500) },
      'awaiting_permission',
      'screen',
    ],
    ['a dialog that was dismissed with Esc', { reported: reports(PERMISSION, 60_000), screen: shows(READY, 1_500) }, 'ready', 'screen'],
    [
      'a screen that no rule matches changes nothing',
      { reported: reports(BUSY, 60_000), screen: shows({ kind: 'unknown' }, 60_000) },
      'processing',
      'hook',
    ],
    [
      'an agent with a background task stands at its prompt',
      { reported: reports(BACKGROUND, 60_000), screen: shows(READY, 60_000) },
      'processing',
      'hook',
    ],
    [
      'an agent whose turn failed stands at its prompt',
      { reported: reports(OVERLOADED, 60_000), screen: shows(READY, 60_000) },
      'error',
      'hook',
    ],
    [
      'an agent that waits for a limit stands at its prompt',
      { reported: reports(LIMIT, 60_000), screen: shows(READY, 60_000) },
      'waiting_limit',
      'hook',
    ],
    [
      'an old error on the screen of a ready agent is history',
      { reported: reports(READY, 60_000), screen: shows(OVERLOADED, 60_000) },
      'ready',
      'hook',
    ],
    ['an agent that continued after a limit', { reported: reports(LIMIT, 60_000), screen: shows(BUSY, 1_500) }, 'processing', 'screen'],
    [
      'a farewell on the screen of a living process ends nothing',
      { reported: reports(READY, 60_000), screen: shows(LEFT, 60_000) },
      'ready',
      'hook',
    ],
    ['not even before its first report', { screen: shows(LEFT, 60_000) }, 'starting', 'timing'],

    [
      'the status file shows an interrupt, which no hook reports',
      { reported: reports(BUSY, 60_000), live: file(READY, STATUS_FILE_WINS_AFTER_MS) },
      'ready',
      'status_file',
    ],
    [
      'a status file idle since before the prompt may be late: it gets time to catch up',
      { reported: reports(BUSY, STALE_FILE_WINS_AFTER_MS - 1), live: file(READY, 60_000), screen: shows(READY, 60_000) },
      'processing',
      'hook',
    ],
    [
      'a status file that never went busy is right in the end',
      { reported: reports(BUSY, STALE_FILE_WINS_AFTER_MS), live: file(READY, 60_000) },
      'ready',
      'status_file',
    ],
    [
      'a status file still busy after the end of a turn gets the same time',
      { reported: reports(READY, STALE_FILE_WINS_AFTER_MS - 1), live: file(BUSY, 60_000), screen: shows(BUSY, 60_000) },
      'ready',
      'hook',
    ],
    [
      'after that time it counts: the next turn runs',
      { reported: reports(READY, STALE_FILE_WINS_AFTER_MS), live: file(BUSY, 60_000) },
      'processing',
      'status_file',
    ],
    [
      'the report counts where both agree',
      { reported: reports(BUSY, 60_000), live: file(BUSY, 60_000), screen: shows(READY, 60_000) },
      'processing',
      'hook',
    ],
    [
      'the screen still counts where the status file has an unknown word',
      { reported: reports(BUSY, 60_000), live: file({ kind: 'unknown' }, 60_000), screen: shows(READY, 1_500) },
      'ready',
      'screen',
    ],
  ])('%s', (_, changes, kind, source) => {
    const { activity, source: by } = assess(evidenceOf(changes), NOW);
    expect({ kind: activity.kind, source: by }).toEqual({ kind, source });
  });

  test('the screen adds the detail of a retry to the agent’s own report, and names the dialog a status file only announces', () => {
    expect(assess(evidenceOf({ reported: reports(BUSY, 100), screen: shows(RETRYING, 100) }), NOW).activity).toEqual(RETRYING);
    const open = { kind: 'awaiting_question', questionType: 'multiple_choice', question: '', choices: [] } as const;
    expect(
      assess(evidenceOf({ reported: reports(BUSY, 9_000), live: file(open, 500), screen: shows(QUESTION, 500) }), NOW).activity,
    ).toEqual(QUESTION);
  });

  test('idle without the end of a turn means that a person interrupted it', () => {
    for (const before of [BUSY, PERMISSION, QUESTION])
      expect(assess(evidenceOf({ reported: reports(before, 9_000), live: file(READY, 500) }), NOW).activity).toEqual({
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
    expect(assess(evidenceOf({ pane: aPane({ dead: true, ...end }) }), NOW).activity).toMatchObject({ kind: 'exited', how });
  });
});

describe('a stall', () => {
  const busy = { reported: reports(BUSY, AGENT_STALLED_AFTER_MS), screen: shows(BUSY, AGENT_STALLED_AFTER_MS) };
  test.each<[string, Partial<Evidence>, Activity]>([
    [
      'is noticed when nothing has changed for long',
      { ...busy, progressAt: NOW - AGENT_STALLED_AFTER_MS },
      { kind: 'processing', detail: 'stalled' },
    ],
    ['is not reported while something changes', { ...busy, progressAt: NOW - AGENT_STALLED_AFTER_MS + 1 }, BUSY],
    [
      'is not reported right after a report, however long the screen was unchanged',
      { ...busy, reported: reports(BUSY, 10), progressAt: 0 },
      BUSY,
    ],
    ['is not reported while it counts down to a retry', { ...busy, screen: shows(RETRYING, 0), progressAt: 0 }, RETRYING],
    ['is not reported for an agent at rest', { reported: reports(READY, AGENT_STALLED_AFTER_MS * 9), progressAt: 0 }, READY],
  ])('%s', (_, changes, activity) => {
    expect(assess(evidenceOf(changes), NOW).activity).toEqual(activity);
  });
});

describe('whatever the evidence is', () => {
  const age = fc.integer({ min: 0, max: 20_000 });
  const activity = fc.constantFrom(...ACTIVITIES, BACKGROUND, RETRYING, STARTUP);
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const evidence = {
    reported: fc.oneof(
      fc.constant(NOTHING_REPORTED),
      fc.tuple(activity, age).map((parts) => reports(...parts)),
    ),
    screen: maybe(fc.tuple(activity, age).map((parts) => shows(...parts))),
    live: maybe(fc.tuple(activity, age).map((parts) => file(...parts))),
    progressAt: maybe(age.map((ms) => NOW - ms)),
  };
  const anyone = (pane: Evidence['pane']) => fc.record(evidence).map((parts) => evidenceOf({ ...parts, pane }));

  test('a missing answer of tmux never makes an agent dead', () => {
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
        // Its own reports name no end either: `session_ended` is not evidence about the process.
        fc.pre(one.reported.latest?.activity.kind !== 'exited' && one.live?.activity.kind !== 'exited');
        expect(living.kind).not.toBe('exited');
        for (const pane of ['gone', aPane({ dead: true, deadStatus: 1 })] as const)
          expect(assess({ ...one, pane }, NOW)).toMatchObject({ activity: { kind: 'exited' }, source: 'process', confidence: 1 });
      }),
    );
  });

  test('a screen never overrules the agent’s own report before its time', () => {
    fc.assert(
      fc.property(anyone(aPane()), (one) => {
        const word = one.reported.latest;
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

test('at a usage limit the screen adds what the report leaves out', () => {
  const reported = { kind: 'waiting_limit', resetsAt: 5, continuesByItself: false } as const;
  const banner = { kind: 'waiting_limit', resetsAt: 9, continuesByItself: true } as const;
  const activity = (report: Activity, screen: Activity) =>
    assess(evidenceOf({ reported: reports(report, 50), screen: shows(screen, 50) }), NOW).activity;
  expect(activity(reported, banner)).toEqual({ ...reported, continuesByItself: true });
  expect(activity(LIMIT, banner)).toEqual(banner);
  expect(activity(reported, READY)).toEqual(reported);
  // The report got lost, and the status file only reports idle.
  const idle = evidenceOf({ reported: reports(BUSY, 5_000), live: file(READY, 4_900), screen: shows(banner, 4_900) });
  expect(assess(idle, NOW).activity).toEqual(banner);
});

describe('a sheet that looks like a menu', () => {
  const asks = { kind: 'awaiting_question', questionType: 'unread', question: 'Auto mode', choices: [], unfamiliar: true } as const;
  const menu: Activity = { kind: 'unknown', opened: { what: 'menu', title: 'Auto mode', key: 'Esc', asks } };
  const during = (changes: Partial<Evidence>) =>
    assess(evidenceOf({ reported: reports(BUSY, 9_000), screen: shows(menu, MENU_ASKS_AFTER_MS), ...changes }), NOW).activity;

  test('is a dialog of the agent once it has covered a running turn, because nobody is attached', () => {
    expect(during({})).toEqual(asks);
    expect(during({ live: file({ kind: 'unknown' }, 9_000) })).toEqual(asks);
  });

  test.each<readonly [string, Partial<Evidence>]>([
    ['was drawn a moment ago', { screen: shows(menu, MENU_ASKS_AFTER_MS - 1) }],
    ['is younger than the last report', { reported: reports(BUSY, 100) }],
    ['was opened by a person who is attached', { pane: aPane({ attached: true }) }],
    ['covers an agent that reports that it works', { live: file(BUSY, 9_000) }],
  ])('is not, if it %s', (_, changes) => {
    expect(during(changes)).toEqual(BUSY);
  });

  test('is a menu of a person at the end of a turn', () => {
    expect(during({ reported: reports(READY, 9_000) }).kind).not.toBe('awaiting_question');
  });
});

describe('which dialog is open', () => {
  const asked = (question: string, ...choices: readonly string[]) =>
    ({ kind: 'awaiting_question', questionType: 'multiple_choice', question, choices }) as const;
  const wants = (command: string, ...choices: readonly string[]) =>
    ({ kind: 'awaiting_permission', tool: 'Bash', command, question: 'Do you want to proceed?', choices }) as const;
  const colour = asked('Which colour?', 'Blue', 'Green');
  const hostile = asked('Which<U+001B>]0;HACKED<U+0007> colour?', 'Blue<U+001B>[2J', 'Green');

  test.each<readonly [string, Activity, Activity, Activity]>([
    ['a report counts in its own words, however a terminal draws them', hostile, colour, hostile],
    ['the second question of a form is only on the screen', colour, asked('Which size?', 'S', 'L'), asked('Which size?', 'S', 'L')],
    ['the choices of a permission are only on the screen', wants('rm x'), wants('rm x', 'Yes', 'No'), wants('rm x', 'Yes', 'No')],
    ['a permission on the screen for another command is the open one', wants('rm x'), wants('ls', 'Yes', 'No'), wants('ls', 'Yes', 'No')],
    [
      'a list that begins with "Yes" is the reported permission',
      wants('rm x'),
      asked('Go?', 'Yes', 'No'),
      { ...wants('rm x', 'Yes', 'No'), question: 'Go?' },
    ],
    ['a screen without a dialog is being redrawn', colour, UNKNOWN, colour],
    [
      'a question in the words of a permission is a question, also where the screen of an unrecorded version reads as a permission',
      asked('Do you want to go on?', 'Yes', 'No'),
      { kind: 'awaiting_permission', tool: 'unknown', question: 'Do you want to go on?', choices: ['Yes', 'No', 'Else'] },
      asked('Do you want to go on?', 'Yes', 'No'),
    ],
    [
      'an edit is named by the question on the screen, not by the file of the last report',
      { ...wants('/w/b.ts'), tool: 'Edit' },
      { kind: 'awaiting_permission', tool: 'Edit', question: 'Do you want to make this edit to a.ts?', choices: ['Yes', 'No'] },
      { kind: 'awaiting_permission', tool: 'Edit', question: 'Do you want to make this edit to a.ts?', choices: ['Yes', 'No'] },
    ],
  ])('%s', (_, reported, shown, open) => {
    expect(assess(evidenceOf({ reported: reports(reported, 1_000), screen: shows(shown, 100) }), NOW).activity).toEqual(open);
  });
});
