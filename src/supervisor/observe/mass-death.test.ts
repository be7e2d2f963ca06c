import { expect, test } from 'vitest';
import { looksLikeMassDeath } from './mass-death.ts';
import { newWatch, type Watch } from './watch.ts';

const fleet = (dead: number, alive: number): readonly Watch[] =>
  Array.from({ length: dead + alive }, (_, index) => ({
    ...newWatch(`w${index}`, 1, 0),
    pane: index < dead ? ('gone' as const) : ('unknown' as const),
  }));

test.each([
  [4, 0, false],
  [5, 0, true],
  [5, 4, true],
  [5, 5, false],
  [6, 100, false],
  [0, 10, false],
])('%i of the fleet gone and %i not: a mass death is %s', (dead, alive, expected) => {
  expect(looksLikeMassDeath(fleet(dead, alive))).toBe(expected);
});
