import { expect, test } from 'vitest';
import { STUCK_AT, STUCK_CASES } from './cases/stuck-cases.ts';
import { decideStuck, dueMs } from './decide-stuck.ts';
import { STUCK_POLICY } from './policies/stuck-policy.ts';

test.each(STUCK_CASES)('$when', ({ view, step }) => {
  expect(decideStuck(view, STUCK_POLICY, STUCK_AT)).toMatchObject(step);
});

test('the rungs are due after 30, 35, 40 and 45 minutes', () => {
  const ladder = { since: STUCK_AT, askedAt: STUCK_AT };
  const due = [undefined, { ...ladder, rungs: 1 as const }, { ...ladder, rungs: 2 as const }, { ...ladder, rungs: 3 as const }];
  expect(due.map((one) => dueMs(one, STUCK_POLICY) / 60_000)).toEqual([30, 35, 40, 45]);
});

test('a ladder keeps the time of its beginning when the question itself shows on the screen', () => {
  const since = STUCK_AT - 40 * 60_000;
  const view = { atWork: true, busy: true, takenAt: STUCK_AT - 600_000, progressAt: STUCK_AT - 599_000, committed: undefined };
  const step = decideStuck({ ...view, ladder: { since, rungs: 2, askedAt: STUCK_AT - 600_000 } }, STUCK_POLICY, STUCK_AT);
  expect(step).toMatchObject({ kind: 'nudge', ladder: { since, rungs: 3 } });
});
