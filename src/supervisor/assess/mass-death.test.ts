import { expect, test } from 'vitest';
import type { Worker } from '../../store/state.ts';
import type { Watch } from '../observe/watch.ts';
import { aTmuxWatch, aWatch } from '../samples.ts';
import { suspectMassDeath } from './mass-death.ts';

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
