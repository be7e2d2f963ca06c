import { describe, expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import { aReading, BUSY, PERMISSION, QUESTION } from '../samples.ts';
import { meantDialog, noteAnswered, noteDialog, noteRefused, noteShown } from './open-dialog.ts';
import { NOTHING_REPORTED } from './reported.ts';
import { newWatch, type Watch } from './watch.ts';

/** A watch whose agent has reported the activity with this number, or whose screen alone shows it. */
function shows(watch: Watch, activity: Activity, seq?: number): string | undefined {
  watch.assessment = { ...watch.assessment, activity };
  const latest = seq === undefined ? null : { activity, at: seq, seq, event: 'report' };
  watch.reported = { ...NOTHING_REPORTED, latest };
  return noteDialog(watch)?.id;
}

const TIMES = { since: 0, at: 0, stillSince: 0, essence: '' };

const aWatch = (): Watch => newWatch('adam', { incarnation: 1, launchedAt: 0, resumed: false });

test('a dialog keeps its id as long as it is open', () => {
  const watch = aWatch();
  const id = shows(watch, QUESTION, 1);
  expect(id).toMatch(/^[0-9a-f]{6}$/);
  expect(shows(watch, QUESTION, 1)).toBe(id);
});

test('a dialog that the screen shows before its report arrives is the same one', () => {
  const watch = aWatch();
  const id = shows(watch, QUESTION);
  expect(shows(watch, QUESTION, 4)).toBe(id);
  expect(shows(watch, QUESTION, 4)).toBe(id);
  expect(shows(watch, QUESTION, 5)).not.toBe(id);
});

test.each<readonly [string, (watch: Watch) => string | undefined]>([
  ['announced again, with the same text', (watch) => shows(watch, QUESTION, 2)],
  ['another page of the same report', (watch) => shows(watch, { ...QUESTION, question: 'And then?' } as Activity, 1)],
  ['a permission', (watch) => shows(watch, PERMISSION, 2)],
])('another dialog has another id: %s', (_, next) => {
  const watch = aWatch();
  const id = shows(watch, QUESTION, 1);
  expect(next(watch)).not.toBe(id);
});

test('a dialog that only the screen shows has another id when it opens again', () => {
  const closed = aWatch();
  const first = shows(closed, QUESTION);
  expect(shows(closed, BUSY)).toBeUndefined();
  expect(shows(closed, QUESTION)).not.toBe(first);

  const answered = aWatch();
  const before = shows(answered, QUESTION);
  noteAnswered(answered, 1);
  expect(shows(answered, QUESTION)).not.toBe(before);
});

test('a supervisor that starts again gives a reported dialog the same id', () => {
  expect(shows(aWatch(), QUESTION, 7)).toBe(shows(aWatch(), QUESTION, 7));
});

test('what a person was shown stays known after the dialog is closed', () => {
  const watch = aWatch();
  const id = shows(watch, QUESTION, 1);
  noteShown(watch, 1);
  shows(watch, BUSY);
  noteShown(watch, 1);
  expect(meantDialog(watch)).toBe(id);
  shows(watch, PERMISSION, 2);
  expect(meantDialog(watch), 'the next dialog was not shown').toBe(id);
  noteAnswered(watch, 3);
  expect(meantDialog(watch), 'a second answer that was typed at the same time may still arrive').toBe(id);
});

test('an answered dialog is over, although its report is still the last one, unless the screen shows it again', () => {
  const watch = aWatch();
  const id = shows(watch, PERMISSION, 1);
  noteAnswered(watch, 3);
  expect(shows(watch, PERMISSION, 1)).toBeUndefined();
  expect(shows(watch, PERMISSION, 2), 'announced again').not.toBe(id);
  noteAnswered(watch, 3);
  watch.screen = { ...watch.screen, capture: { screen: { lines: [], width: 80, height: 24 }, reading: aReading(PERMISSION), ...TIMES } };
  expect(shows(watch, PERMISSION, 2)).toMatch(/^[0-9a-f]{6}$/);
});

test('a dialog whose choices are drawn after its report keeps its id', () => {
  const watch = aWatch();
  const announced = { ...PERMISSION, choices: [] } as Activity;
  const id = shows(watch, announced, 1);
  expect(shows(watch, PERMISSION, 1)).toBe(id);
  expect(watch.dialog.open?.dialog).toEqual(PERMISSION);
  expect(shows(watch, announced, 1), 'while it is drawn again').toBe(id);
});

test('a refusal shows what is open, also if that is nothing', () => {
  const watch = aWatch();
  shows(watch, QUESTION, 1);
  noteShown(watch, 1);
  shows(watch, BUSY);
  noteRefused(watch, 2);
  expect(meantDialog(watch)).toBeUndefined();
});

describe('an answer without an id', () => {
  /** Nobody was shown the first page; its answer arrives at 20 and shows the second one. */
  function afterTheFirstPage(): readonly [watch: Watch, first: string | undefined, second: string | undefined] {
    const watch = aWatch();
    const first = shows(watch, QUESTION, 1);
    noteAnswered(watch, 20);
    const second = shows(watch, { ...QUESTION, question: 'And then?' } as Activity, 1);
    noteShown(watch, 21);
    return [watch, first, second];
  }

  test('that was typed before the first one counted is not for the page that the first one led to', () => {
    const [watch, first, second] = afterTheFirstPage();
    expect(meantDialog(watch, 19)).toBe(first);
    expect(meantDialog(watch, 22), 'a command that came later').toBe(second);
    expect(meantDialog(watch), 'a client that does not say when').toBe(second);
  });

  test('is for what was shown before it was typed, also if another command is refused or shown the next dialog meanwhile', () => {
    const watch = aWatch();
    const first = shows(watch, QUESTION, 1);
    noteShown(watch, 10);
    const second = shows(watch, PERMISSION, 2);
    noteRefused(watch, 20);
    noteShown(watch, 21);
    expect(meantDialog(watch, 15)).toBe(first);
    expect(meantDialog(watch, 20)).toBe(second);
  });

  test('is for the open dialog if nothing was shown or answered', () => {
    const watch = aWatch();
    const id = shows(watch, QUESTION, 1);
    expect(meantDialog(watch, 5)).toBe(id);
    noteShown(watch, 10);
    expect(meantDialog(watch, 5)).toBe(id);
  });
});
