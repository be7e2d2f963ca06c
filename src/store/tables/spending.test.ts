import { expect, test } from 'vitest';
import { scratchDatabase } from '../../../test/support/scratch-store.ts';
import { countUsage, spentOn } from './spending.ts';

const counted = (conversation: string, tokens: number, costUsd = 0) => ({ conversation, tokens, costUsd });

test('a conversation is counted by what it has used since, on the day it was used', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  countUsage(database, '2026-11-14', [counted('a', 100, 0.5), counted('b', 10)]);
  countUsage(database, '2026-11-14', [counted('a', 100, 0.5), counted('b', 10)]);
  expect(spentOn(database, '2026-11-14')).toEqual({ tokens: 110, costUsd: 0.5 });
  countUsage(database, '2026-11-15', [counted('a', 150, 0.75), counted('c', 7)]);
  expect(spentOn(database, '2026-11-15')).toEqual({ tokens: 57, costUsd: 0.25 });
  expect(spentOn(database, '2026-11-14')).toEqual({ tokens: 110, costUsd: 0.5 });
  expect(spentOn(database, '2026-11-16')).toEqual({ tokens: 0, costUsd: 0 });
});

test('a record that is read half, or was cut, takes nothing back and counts nothing twice', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  for (const tokens of [100, 40, 100, 120]) countUsage(database, 'today', [counted('a', tokens)]);
  expect(spentOn(database, 'today').tokens).toBe(120);
});
