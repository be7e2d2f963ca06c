import { expect, test } from 'vitest';
import { decideResume, type LimitedView, type ResumeStep } from './decide-resume.ts';
import { aLimitHit, NOON } from './samples.ts';

const stopped: LimitedView = { hasTask: true, hit: aLimitHit(), answered: false, goesOnAt: NOON - 1, stands: true };

test.each<[string, Partial<LimitedView>, ResumeStep['kind']]>([
  ['no limit stopped it', { hit: undefined }, 'nothing'],
  ['its time has come', {}, 'go_on'],
  ['its account was never parked', { goesOnAt: undefined }, 'go_on'],
  ['its time has not come yet', { goesOnAt: NOON + 1 }, 'wait'],
  ['it was sent a prompt since', { answered: true }, 'settled'],
  ['it was sent a prompt since, and its account is still parked', { answered: true, goesOnAt: NOON + 1 }, 'settled'],
  ['a person used it without a task', { hasTask: false }, 'settled'],
  ['no fresh capture shows it at its prompt', { stands: false }, 'wait'],
])('%s', (_, changes, kind) => {
  expect(decideResume({ ...stopped, ...changes }, NOON).kind).toBe(kind);
});
