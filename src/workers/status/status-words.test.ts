import { expect, test } from 'vitest';
import { STATUSES } from '../../store/statuses.ts';
import { describeStatus, STATUS_WORDS } from './status-words.ts';

test('a sentence about a worker reads as one, and shows no name of a status that is not a word', () => {
  expect(STATUSES.map(describeStatus)).toEqual([
    'is idle',
    'is working',
    'needs you',
    'has work to review',
    'is revising',
    'is rebasing',
    'has failed',
    'is offline',
  ]);
  expect(Object.values(STATUS_WORDS).join()).not.toContain('_');
});
