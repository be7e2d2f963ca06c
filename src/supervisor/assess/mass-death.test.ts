import { expect, test } from 'vitest';
import type { Worker } from '../../store/state.ts';
import type { Watch } from '../observe/watch.ts';
import { aTmuxWatch, aWatch } from '../samples.ts';
import { diedWithOthers, suspectMassDeath } from './mass-death.ts';

const fleet = (dead: number, alive: number, changes: Partial<Watch> = {}): readonly Watch[] =>
  Array.from({ length: dead + alive }, (_, index) =>
    aWatch({ name: `w${index}`, tmux: aTmuxWatch(index < dead ? 'gone' : 'unknown'), ...changes }),
  );

test.each([
  [4, 0, false],
  [5, 0, true],
  [5, 4, true],
  [5, 5, false],
  [6, 100, false],
  [0, 10, false],
])('%i of the fleet gone and %i not: a mass death is %s', (dead, alive, expected) => {
  expect(suspectMassDeath(fleet(dead, alive), () => 'working')).toBe(expected);
});

test.each<[Worker['status'], Partial<Watch>, boolean]>([
  ['error', {}, false],
  ['offline', {}, false],
  ['needs_review', { exit: { counted: true, restartAt: undefined } }, false],
  ['needs_review', {}, true],
  ['working', {}, true],
  ['idle', {}, true],
])('five agents that are gone, all with the status %s %o: a mass death is %s', (status, changes, expected) => {
  expect(suspectMassDeath(fleet(5, 0, changes), () => status)).toBe(expected);
});

test('agents that were given up do not hide a mass death among the others', () => {
  const statusOf = (name: string) => (Number(name.slice(1)) < 10 ? 'error' : 'working');
  expect(suspectMassDeath(fleet(15, 0), statusOf)).toBe(true);
  expect(suspectMassDeath(fleet(14, 0), statusOf)).toBe(false);
});

test.each<[string, readonly Watch[], Worker['status'], boolean, boolean]>([
  ['with a mass death', fleet(1, 3), 'working', true, true],
  ['when every session is gone, as of a dead tmux server', fleet(2, 0), 'working', false, true],
  ['alone', fleet(1, 0), 'working', false, false],
  ['while others live or nobody knows', fleet(1, 1), 'working', false, false],
  ['beside those that were given up before', fleet(2, 0), 'error', false, false],
])('an agent that ended %s', (_, watches, others, massDeath, expected) => {
  const [first, ...rest] = watches;
  if (first === undefined) throw new Error('no watch');
  const statusOf = (name: string) => (name === first.name ? 'working' : others);
  expect(diedWithOthers(first, watches, statusOf, massDeath)).toBe(expected);
  expect(rest.map((watch) => diedWithOthers({ ...watch, tmux: aTmuxWatch('unknown') }, watches, statusOf, true))).toEqual(
    rest.map(() => false),
  );
});
