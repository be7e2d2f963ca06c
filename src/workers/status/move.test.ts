import { describe, expect, test } from 'vitest';
import { aWorker } from '../samples.ts';
import { moveLine } from './move.ts';

describe('a move in the history', () => {
  test.each([
    ['names both statuses and the event', { status: 'working' }, 'committed', 'working → needs_review (committed): so'],
    [
      'of a session that comes back',
      { status: 'offline', status_before_offline: 'rejected' },
      'came_back',
      'offline → rejected (came_back): so',
    ],
    ['of a session that ends', { status: 'needs_input' }, 'went_offline', 'needs_input → offline (went_offline): so'],
    [
      'by a person while the session is away: from where it stood',
      { status: 'offline', status_before_offline: 'needs_review' },
      'accepted',
      'needs_review → idle (accepted): so',
    ],
    ['to where it is already', { status: 'error' }, 'failed', 'error → error (failed): so'],
  ] as const)('%s', (_, worker, event, line) => {
    expect(moveLine(aWorker(worker), event, 'so')).toBe(line);
  });

  test('is refused where the move is', () => {
    expect(() => moveLine(aWorker({ status: 'working' }), 'accepted', 'so')).toThrow(
      'adam is working; this needs a worker that has work to review',
    );
  });
});
