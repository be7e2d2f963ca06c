import { expect, test } from 'vitest';
import { aPane, aWatch } from '../samples.ts';
import { doubtEnd, findPane, notePane } from './tmux-watch.ts';

const DEAD = aPane({ dead: true });

test('an end is counted by passes, from the first that showed it', () => {
  const watch = aWatch();
  notePane(watch, aPane(), 1_000);
  expect(watch.tmux.ended).toBeUndefined();
  notePane(watch, DEAD, 2_000);
  notePane(watch, 'gone', 3_000);
  expect(watch.tmux.ended).toEqual({ since: 2_000, passes: 2 });
});

test('a pass without an answer of tmux neither confirms an end nor takes it back', () => {
  const watch = aWatch();
  notePane(watch, DEAD, 1_000);
  notePane(watch, 'unknown', 2_000);
  expect(watch.tmux.ended).toEqual({ since: 1_000, passes: 1 });
});

test('an agent that is seen alive again has not ended', () => {
  const watch = aWatch();
  notePane(watch, 'gone', 1_000);
  notePane(watch, aPane(), 2_000);
  expect(watch.tmux.ended).toBeUndefined();
});

test('a pass that is doubted does not count: the end takes two more to be confirmed', () => {
  const watch = aWatch();
  notePane(watch, 'gone', 1_000);
  doubtEnd(watch);
  notePane(watch, 'gone', 2_000);
  expect(watch.tmux.ended).toEqual({ since: 2_000, passes: 1 });
});

test.each([
  ['its process lives', true, 'unknown'],
  ['its process has ended', false, 'gone'],
])('a session that tmux does not show, and %s', (_, lives, expected) => {
  const watch = aWatch();
  notePane(watch, aPane({ pid: 4711 }), 1_000);
  expect(findPane({ isAlive: () => lives }, watch, new Map(), 'llmc-adam')).toBe(expected);
});
