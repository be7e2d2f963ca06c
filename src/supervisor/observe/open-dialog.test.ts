import { expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import { aReading, BUSY, PERMISSION, QUESTION } from '../samples.ts';
import { noteAnswered, noteDialog } from './open-dialog.ts';
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
  noteAnswered(answered);
  expect(shows(answered, QUESTION)).not.toBe(before);
});

test('a supervisor that starts again gives a reported dialog the same id', () => {
  expect(shows(aWatch(), QUESTION, 7)).toBe(shows(aWatch(), QUESTION, 7));
});

test('an answered dialog is over, although its report is still the last one, unless the screen shows it again', () => {
  const watch = aWatch();
  const id = shows(watch, PERMISSION, 1);
  noteAnswered(watch);
  expect(shows(watch, PERMISSION, 1)).toBeUndefined();
  expect(shows(watch, PERMISSION, 2), 'announced again').not.toBe(id);
  noteAnswered(watch);
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
