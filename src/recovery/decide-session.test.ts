import { expect, test } from 'vitest';
import { SESSION_CASES } from './cases/session-cases.ts';
import { decideSession } from './decide-session.ts';

test.each(SESSION_CASES)('$when', ({ view, step }) => {
  expect(decideSession(view)).toMatchObject(step);
});
