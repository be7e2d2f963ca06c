import { expect, test } from 'vitest';
import { RESUME_CASES } from './cases/limit-cases.ts';
import { decideResume } from './decide-resume.ts';
import { NOON } from './samples.ts';

test.each(RESUME_CASES)('$when', ({ view, step }) => {
  expect(decideResume(view, NOON)).toMatchObject(step);
});
