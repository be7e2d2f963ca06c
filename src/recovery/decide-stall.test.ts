import { expect, test } from 'vitest';
import { STALL_CASES, WATCHED_AT } from './cases/supervisor-cases.ts';
import { stalledSince } from './decide-stall.ts';

test.each(STALL_CASES)('a supervisor that $when', ({ lastPassAt, stalled }) => {
  expect(stalledSince(lastPassAt, WATCHED_AT)).toBe(stalled ? lastPassAt : undefined);
});
