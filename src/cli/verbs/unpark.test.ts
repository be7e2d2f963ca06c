import { expect, test } from 'vitest';
import { liftedText } from './unpark.ts';

const AT_TWO = new Date(2026, 10, 15, 14, 0).getTime();

test.each<[readonly string[], readonly string[], string]>([
  [['adam', 'baker'], [], 'one goes on: adam, baker.'],
  [['baker'], ['adam'], 'one goes on: baker.\nadam: not now, as its agent waits and goes on by itself at 14:00.'],
  [[], ['adam'], 'one goes on: nobody has to be told.\nadam: not now, as its agent waits and goes on by itself at 14:00.'],
  [[], [], 'one goes on: no worker uses it.'],
])('%j go on now, %j by themselves', (workers, by_themselves, text) => {
  expect(liftedText({ account: 'one', until_unix: AT_TWO / 1_000, workers, by_themselves }, AT_TWO - 3_600_000)).toBe(text);
});
