import { expect, test } from 'vitest';
import { START_CASES, WATCHED_AT } from './cases/supervisor-cases.ts';
import { startDelayMs } from './decide-start-delay.ts';

test.each(START_CASES)('$when waits $delayMs ms', ({ earlier, delayMs }) => {
  expect(startDelayMs(earlier, WATCHED_AT)).toBe(delayMs);
});
