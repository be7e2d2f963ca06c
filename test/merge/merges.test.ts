import { expect, test } from 'vitest';
import { HISTORIES } from './scenarios/histories.ts';
import { KINDS } from './scenarios/kinds.ts';
import { MERGES } from './scenarios/merges.ts';
import { OUTCOMES } from './scenarios/outcomes.ts';
import { SOURCES } from './scenarios/sources.ts';
import { STORES } from './scenarios/stores.ts';
import { table } from './table.ts';

table('branches with merges, and commits without a change', MERGES);

test('the tables have at least 60 scenarios, and no two with the same name', () => {
  const names = [HISTORIES, KINDS, MERGES, OUTCOMES, SOURCES, STORES].flatMap((each) => each.map(({ name }) => name));
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(new Set(names).size).toBe(names.length);
});
