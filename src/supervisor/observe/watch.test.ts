import { describe, expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import type { InputBox } from '../../agents/agent.ts';
import { screenFromText } from '../../terminal/screen.ts';
import { aReading, aWatch, BUSY, QUESTION, READY } from '../samples.ts';
import { noteOwnStatus } from './own-status.ts';
import { noteCapture } from './screen-watch.ts';
import { lastProgressAt, type Watch } from './watch.ts';

interface Glimpse {
  readonly text?: string;
  readonly activity: Activity;
  readonly box?: InputBox;
}

/** A watch after these looks, one second apart. */
function looked(...looks: readonly Glimpse[]): Watch {
  const watch = aWatch();
  for (const [index, { text = '', activity, box }] of looks.entries())
    noteCapture(watch, { screen: screenFromText(text), reading: aReading(activity, box) }, (index + 1) * 1_000);
  return watch;
}

const ready: Glimpse = { activity: READY };
const busy: Glimpse = { activity: BUSY };
const asks = (question: string): Glimpse => ({
  activity: { kind: 'awaiting_question', questionType: 'yes_no', question, choices: [] },
});

describe('since when a screen has said the same', () => {
  test.each<[string, readonly Glimpse[], number]>([
    ['since the first look', [ready], 1_000],
    ['still since the first, though other text changed', [ready, { ...ready, text: 'more' }], 1_000],
    ['anew when the activity changed', [ready, busy], 2_000],
    ['anew when it changed and changed back', [ready, busy, ready], 3_000],
    ['anew when the box changed', [ready, { ...ready, box: { kind: 'text', text: 'x' } }], 2_000],
    ['anew when another question is asked', [asks('Go on?'), asks('Sure?')], 2_000],
  ])('%s', (_, looks, since) => {
    expect(looked(...looks).screen.capture?.since).toBe(since);
  });
});

describe('signs of progress', () => {
  test.each<[string, string, string, number]>([
    ['a spinner that turns is none', '✻ Working… (5s)', '✽ Working… (6s)', 1_000],
    ['a clock that counts is none', 'Bash(make) 59s', 'Bash(make) 1m', 1_000],
    ['a new line is one', 'one', 'one\ntwo', 2_000],
    ['a count of tokens is one', '↓ 48 tokens', '↓ 52 tokens', 2_000],
  ])('%s', (_, before, after, at) => {
    expect(lastProgressAt(looked({ activity: BUSY, text: before }, { activity: BUSY, text: after }))).toBe(at);
  });

  test('the last time it was seen at work is kept', () => {
    expect(looked(ready, { activity: QUESTION }).screen.busyAt).toBeUndefined();
    expect(looked(busy, ready).screen.busyAt).toBe(1_000);
  });
});

test('a status file counts from when it changed its word', () => {
  const watch = aWatch();
  noteOwnStatus(watch, BUSY, 1_000);
  noteOwnStatus(watch, BUSY, 2_000);
  expect(watch.status.live).toEqual({ activity: BUSY, since: 1_000 });
  noteOwnStatus(watch, READY, 3_000);
  expect(watch.status.live).toEqual({ activity: READY, since: 3_000 });
  noteOwnStatus(watch, undefined, 4_000);
  expect(watch.status.live).toBeUndefined();
});

test('what an agent says it is doing is kept up to date, with the time since when it has been the same kind of thing', () => {
  const watch = aWatch();
  noteOwnStatus(watch, { kind: 'processing' }, 1_000);
  noteOwnStatus(watch, { kind: 'processing', detail: 'retrying' }, 2_000);
  expect(watch.status.live).toEqual({ activity: { kind: 'processing', detail: 'retrying' }, since: 1_000 });
  noteOwnStatus(watch, { kind: 'ready' }, 3_000);
  expect(watch.status.live).toEqual({ activity: { kind: 'ready' }, since: 3_000 });
  noteOwnStatus(watch, undefined, 4_000);
  expect(watch.status.live).toBeUndefined();
});
