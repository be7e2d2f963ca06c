import { expect, test } from 'vitest';
import { decideResume, type LimitedView, type ResumeStep } from './decide-resume.ts';
import { aLimitHit, NOON } from './samples.ts';

const stopped: LimitedView = { hasTask: true, hit: aLimitHit(), answered: false, goesOnAt: NOON - 1, stands: true };

test.each<[string, Partial<LimitedView>, ResumeStep['kind']]>([
  ['one that no limit stopped', { hit: undefined }, 'nothing'],
  ['one whose turn has come', {}, 'go_on'],
  ['one whose account never rested', { goesOnAt: undefined }, 'go_on'],
  ['one whose turn is yet to come', { goesOnAt: NOON + 1 }, 'wait'],
  ['one that was sent something since', { answered: true }, 'settled'],
  ['one that was, however long its account rests', { answered: true, goesOnAt: NOON + 1 }, 'settled'],
  ['one that a person used by hand', { hasTask: false }, 'settled'],
  ['one that is not seen at its prompt', { stands: false }, 'wait'],
])('%s', (_, changes, kind) => {
  expect(decideResume({ ...stopped, ...changes }, NOON).kind).toBe(kind);
});
