import { expect, test } from 'vitest';
import { decideState } from './decide-state.ts';
import { STATE_CASES } from './state-cases.ts';

test.each(STATE_CASES)('$when', ({ view, step }) => {
  expect(decideState(view)).toMatchObject(step);
});
