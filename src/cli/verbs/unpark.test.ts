import { expect, test } from 'vitest';
import { liftedText } from './unpark.ts';

const AT_TWO = new Date(2026, 10, 15, 14, 0).getTime();

test.each<[readonly string[], readonly string[], string]>([
  [['adam', 'baker'], [], 'The usage limit of one is lifted. Continuing: adam, baker.'],
  [
    ['baker'],
    ['adam'],
    'The usage limit of one is lifted. Continuing: baker.\nadam does not continue now: its agent waits and continues by itself at 14:00.',
  ],
  [[], ['adam'], 'The usage limit of one is lifted.\nadam does not continue now: its agent waits and continues by itself at 14:00.'],
  [[], [], 'The usage limit of one is lifted. No worker uses this account.'],
])('%j continue now, %j by themselves', (workers, by_themselves, text) => {
  expect(liftedText({ account: 'one', until_unix: AT_TWO / 1_000, workers, by_themselves }, AT_TWO - 3_600_000)).toBe(text);
});
