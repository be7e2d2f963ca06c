import { describe, expect, test } from 'vitest';
import type { State, Worker } from '../../store/state.ts';
import { aConfig, aState, aWorker } from '../samples.ts';
import { pickIdle, requireReviewable, reviewedWorker, reviewQueue } from './pick.ts';

const named = (name: string, changes: Partial<Worker> = {}) => aWorker({ name, ...changes });
const away = (name: string, before: Worker['status']) => named(name, { status: 'offline', status_before_offline: before });

describe('who gets a task', () => {
  test.each<[string, readonly Worker[], string]>([
    ['the one that was added first', [named('young', { created_at_unix: 9 }), named('old', { created_at_unix: 3 })], 'old'],
    ['the first that is idle', [named('busy', { status: 'working' }), named('free')], 'free'],
    ['in the order they were added, when that was within a second', [named('b'), named('a')], 'b'],
  ])('%s', (_, workers, expected) => {
    expect(pickIdle(aState(...workers), aConfig(), 0).name).toBe(expected);
  });

  const apart = aConfig('[workers.adam]\nexcluded_from_pool = true');

  test.each<[string, readonly Worker[], ReturnType<typeof aConfig>, RegExp, RegExp]>([
    ['nobody is there', [], aConfig(), /no worker/, /llmc start --add/],
    ['the only one is kept apart', [named('adam')], apart, /no worker/, /llmc start --add/],
    ['all are at work', [named('adam', { status: 'working' })], aConfig(), /adam is working/, /llmc status/],
    [
      'all wait for a person',
      [named('adam', { status: 'needs_review' }), named('eve', { status: 'error' })],
      aConfig(),
      /adam has work to review, eve has failed$/,
      /llmc status/,
    ],
    ['the idle one sleeps', [away('adam', 'idle')], aConfig(), /adam is offline/, /^llmc why adam$/],
    ['all sleep in the middle of something', [away('adam', 'working')], aConfig(), /adam is offline/, /llmc start --add/],
  ])('nobody, when %s', (_, workers, config, message, hint) => {
    const refusal = { code: 'NO_IDLE_WORKER', message: expect.stringMatching(message), hint: expect.stringMatching(hint) };
    expect(() => pickIdle(aState(...workers), config, 0)).toThrow(expect.objectContaining(refusal));
  });
});

describe('whose work is meant', () => {
  const queue = (state: State, unseenFirst = false) => reviewQueue(state, { unseenFirst }).map(({ name }) => name);
  const pending = (name: string, since: number) => named(name, { status: 'needs_review', last_activity_unix: since });

  test('the review begins with the one that has waited longest, asleep or not', () => {
    const asleep = { ...away('eve', 'needs_review'), last_activity_unix: 1 };
    expect(queue(aState(pending('adam', 2), asleep))).toEqual(['eve', 'adam']);
    expect(queue(aState(named('adam')))).toEqual([]);
  });

  test('work that conflicts with main comes last, so that it never blocks the others', () => {
    const conflicting = { ...pending('adam', 1), conflicted_files: ['a.txt'] };
    expect(queue(aState(conflicting, pending('eve', 2), pending('zoe', 3)))).toEqual(['eve', 'zoe', 'adam']);
  });

  test('the walk through the queue begins with what nobody has seen, then with what was shown longest ago', () => {
    const state = aState({ ...pending('adam', 1), shown_revision: 9 }, { ...pending('eve', 2), shown_revision: 7 }, pending('zoe', 3));
    expect(queue(state, true)).toEqual(['zoe', 'eve', 'adam']);
    expect(queue(state)).toEqual(['adam', 'eve', 'zoe']);
  });

  test('a bare accept means the one reviewed last', () => {
    const state = { ...aState(pending('adam', 1), pending('eve', 2)), last_reviewed_worker: 'eve' };
    expect(reviewedWorker(state, 'accept').name).toBe('eve');
  });

  test.each([
    ['it no longer waits', 'eve'],
    ['it is gone', 'nobody'],
  ])('or the only one that waits, when the last one: %s', (_, last) => {
    const state = { ...aState(pending('adam', 1), named('eve')), last_reviewed_worker: last };
    expect(reviewedWorker(state, 'accept').name).toBe('adam');
  });

  test('where several wait and none was reviewed, a person says which', () => {
    const state = aState(pending('adam', 1), pending('eve', 2));
    expect(() => reviewedWorker(state, 'accept')).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', hint: 'Name one: llmc accept adam' }),
    );
    expect(() => reviewedWorker(state, 'reject')).toThrow(expect.objectContaining({ hint: 'Name one: llmc reject --worker adam "…"' }));
  });

  test('work that conflicts does not come up for ever: an accept means the clean one', () => {
    const conflicting = { ...pending('adam', 1), conflicted_files: ['a.txt'] };
    const last = { last_reviewed_worker: 'adam' };
    expect(reviewedWorker({ ...aState(conflicting, pending('eve', 2)), ...last }, 'accept').name).toBe('eve');
    expect(reviewedWorker({ ...aState(conflicting, pending('eve', 2)), ...last }, 'reject').name).toBe('adam');
    expect(reviewedWorker({ ...aState(conflicting), ...last }, 'accept').name).toBe('adam');
  });

  test('where none waits there is nothing to decide', () => {
    expect(() => reviewedWorker(aState(named('adam')), 'accept')).toThrow(expect.objectContaining({ code: 'NOTHING_TO_REVIEW' }));
  });

  test('only what waits for review can be decided on, also while its agent sleeps', () => {
    expect(() => requireReviewable(away('adam', 'needs_review'))).not.toThrow();
    expect(() => requireReviewable(named('adam', { status: 'working' }))).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_TRANSITION', message: 'adam is working and has no work to review' }),
    );
  });
});
