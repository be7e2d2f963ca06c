import { expect, test } from 'vitest';
import { RESUME_CASES } from './cases/limit-cases.ts';
import { NOON } from './cases/samples.ts';
import { decideResume } from './decide-resume.ts';

test.each(RESUME_CASES)('$when', ({ view, step }) => {
  expect(decideResume(view, NOON)).toMatchObject(step);
});
