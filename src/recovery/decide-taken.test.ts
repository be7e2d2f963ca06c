import { expect, test } from 'vitest';
import { TAKEN_CASES } from './cases/taken-cases.ts';
import { decideTaken } from './decide-taken.ts';

test.each(TAKEN_CASES)('an agent ended: $when', ({ view, step }) => {
  expect(decideTaken(view)).toMatchObject(step);
});
