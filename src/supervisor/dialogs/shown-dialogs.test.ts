import { expect, test } from 'vitest';
import { ShownDialogs } from './shown-dialogs.ts';

const shows = (...shown: readonly (readonly [reader: string, id: string, at: number, worker?: string])[]): ShownDialogs => {
  const dialogs = new ShownDialogs();
  for (const [reader, id, at, worker = 'adam'] of shown) dialogs.note(reader, { worker, id, at });
  return dialogs;
};

test('an answer is for what its reader was shown last, not for what another one was shown', () => {
  const shown = shows(['one', 'first', 1], ['other', 'second', 2]);
  expect(shown.meant('one', 'adam')).toBe('first');
  expect(shown.meant('other', 'adam')).toBe('second');
  expect(shown.meant('third', 'adam')).toBeUndefined();
  expect(shown.meant('one', 'baker')).toBeUndefined();
});

test('an answer is for what was shown before it was typed', () => {
  const shown = shows(['one', 'first', 10], ['one', 'second', 20]);
  expect(shown.meant('one', 'adam', 5)).toBeUndefined();
  expect(shown.meant('one', 'adam', 15)).toBe('first');
  expect(shown.meant('one', 'adam', 20)).toBe('second');
});

test('a reader whom the system cannot name is shown nothing', () => {
  const shown = new ShownDialogs();
  shown.note(undefined, { worker: 'adam', id: 'first', at: 1 });
  expect(shown.meant(undefined, 'adam')).toBeUndefined();
});

test('what many dialogs and many readers leave is bounded, and the latest is kept', () => {
  const shown = shows(['one', 'of-baker', 0, 'baker']);
  for (let at = 1; at <= 100; at += 1) shown.note('one', { worker: 'adam', id: `${at}`, at });
  expect(shown.meant('one', 'baker')).toBe('of-baker');
  expect(shown.meant('one', 'adam', 93)).toBe('93');
  expect(shown.meant('one', 'adam', 92), 'forgotten').toBeUndefined();
  for (let reader = 0; reader < 300; reader += 1) shown.note(`${reader}`, { worker: 'adam', id: 'x', at: 1 });
  expect(shown.meant('one', 'adam')).toBeUndefined();
  expect(shown.meant('299', 'adam')).toBe('x');
});
