import { describe, expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import type { InputBox } from '../../agents/agent.ts';
import { screenFromText } from '../../terminal/screen.ts';
import { aReading, aWatch, BUSY, QUESTION, READY } from '../samples.ts';
import { noteOwnStatus } from './own-status.ts';
import { NOTHING_REPORTED } from './reported.ts';
import { noteCapture } from './screen-watch.ts';
import { beginLife, lastProgressAt, noteReady, type Watch, wasReady } from './watch.ts';

interface CaptureSample {
  readonly text?: string;
  readonly activity: Activity;
  readonly box?: InputBox;
}

/** A watch after these captures, one second apart. */
function captured(...captures: readonly CaptureSample[]): Watch {
  const watch = aWatch();
  for (const [index, { text = '', activity, box }] of captures.entries())
    noteCapture(watch, { screen: screenFromText(text), reading: aReading(activity, box) }, (index + 1) * 1_000);
  return watch;
}

const ready: CaptureSample = { activity: READY };
const busy: CaptureSample = { activity: BUSY };
const asks = (question: string): CaptureSample => ({
  activity: { kind: 'awaiting_question', questionType: 'yes_no', question, choices: [] },
});

describe('since when a screen has been classified the same', () => {
  test.each<[string, readonly CaptureSample[], number]>([
    ['since the first capture', [ready], 1_000],
    ['still since the first, although other text changed', [ready, { ...ready, text: 'more' }], 1_000],
    ['again when the activity changed', [ready, busy], 2_000],
    ['again when it changed and changed back', [ready, busy, ready], 3_000],
    ['again when the box changed', [ready, { ...ready, box: { kind: 'text', text: 'x' } }], 2_000],
    ['again when another question is asked', [asks('Go on?'), asks('Sure?')], 2_000],
  ])('%s', (_, captures, since) => {
    expect(captured(...captures).screen.capture?.since).toBe(since);
  });
});

describe('signs of progress', () => {
  test.each<[string, string, string, number]>([
    ['a turning spinner is not progress', '✻ Working… (5s)', '✽ Working… (6s)', 1_000],
    ['a counting timer is not progress', 'Bash(make) 59s', 'Bash(make) 1m', 1_000],
    ['a new line is progress', 'one', 'one\ntwo', 2_000],
    ['a count of tokens is progress', '↓ 48 tokens', '↓ 52 tokens', 2_000],
  ])('%s', (_, before, after, at) => {
    expect(lastProgressAt(captured({ activity: BUSY, text: before }, { activity: BUSY, text: after }))).toBe(at);
  });

  test('the last capture at work is kept', () => {
    expect(captured(ready, { activity: QUESTION }).screen.busyAt).toBeUndefined();
    expect(captured(busy, ready).screen.busyAt).toBe(1_000);
  });
});

describe('an incarnation was ready', () => {
  test.each<[string, readonly Activity[], boolean]>([
    ['when a pass observed it ready, whatever it did after', [{ kind: 'starting' }, READY, { kind: 'unknown' }], true],
    ['when the first pass observed it at work', [BUSY], true],
    ['not while it starts, or while its activity is unknown', [{ kind: 'starting' }, { kind: 'unknown' }], false],
  ])('%s', (_, activities, ready) => {
    const watch = aWatch();
    for (const activity of activities) noteReady(watch, activity);
    expect(wasReady(watch)).toBe(ready);
    beginLife(watch, { incarnation: 2, launchedAt: 1, resumed: true });
    expect(wasReady(watch), 'of the next incarnation nothing is known').toBe(false);
  });

  test('when it reported something between two passes', () => {
    const latest = { activity: READY, at: 1, seq: 1, event: 'SessionStart' };
    expect(wasReady(aWatch({ reported: { ...NOTHING_REPORTED, latest } }))).toBe(true);
  });
});

test('a status file counts from the change of its word', () => {
  const watch = aWatch();
  noteOwnStatus(watch, BUSY, 1_000);
  noteOwnStatus(watch, BUSY, 2_000);
  expect(watch.status.live).toEqual({ activity: BUSY, since: 1_000 });
  noteOwnStatus(watch, READY, 3_000);
  expect(watch.status.live).toEqual({ activity: READY, since: 3_000 });
  noteOwnStatus(watch, undefined, 4_000);
  expect(watch.status.live).toBeUndefined();
});

test('the agent’s own state is kept up to date, with the time since when its kind is the same', () => {
  const watch = aWatch();
  noteOwnStatus(watch, { kind: 'processing' }, 1_000);
  noteOwnStatus(watch, { kind: 'processing', detail: 'retrying' }, 2_000);
  expect(watch.status.live).toEqual({ activity: { kind: 'processing', detail: 'retrying' }, since: 1_000 });
  noteOwnStatus(watch, { kind: 'ready' }, 3_000);
  expect(watch.status.live).toEqual({ activity: { kind: 'ready' }, since: 3_000 });
  noteOwnStatus(watch, undefined, 4_000);
  expect(watch.status.live).toBeUndefined();
});

test('the time in which the machine was suspended does not count as silence of the agent', () => {
  const watch = aWatch({ now: 1_000 });
  expect(lastProgressAt(watch)).toBe(1_000);
  watch.wokeAt = 8 * 3_600_000;
  expect(lastProgressAt(watch)).toBe(8 * 3_600_000);
});
