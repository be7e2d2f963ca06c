import { describe, expect, test } from 'vitest';
import { findInconsistencies, type RecordsView, type RecordView, repairRecord } from './decide-consistency.ts';

const NOW = 1_000_000_000;
const DAY = 86_400;

const record = (changes: Partial<RecordView> = {}): RecordView => ({
  ...{ name: 'adam', status: 'idle', status_before_offline: null, current_prompt: null, commit_sha: null },
  ...{ agent: 'demo', conversation_id: null, worktree_path: '/w/adam', created_at_unix: 100, last_activity_unix: 100 },
  last_crash_unix: null,
  ...changes,
});
const view = (workers: readonly RecordView[], changes: Partial<RecordsView> = {}): RecordsView => ({
  ...{
    workers,
    lastReviewed: null,
    nowUnix: NOW,
    worktree: (name: string) => `/w/${name}`,
    supervised: false,
    resolving: new Set<string>(),
  },
  ...changes,
});

describe('a record that contradicts itself', () => {
  test.each<[string, Partial<RecordView>, readonly string[]]>([
    ['idle and new', {}, []],
    ['an empty path', { worktree_path: '' }, ['place']],
    ['the path of another', { worktree_path: '/w/eve' }, ['place']],
    ['made a day from now', { created_at_unix: NOW + DAY }, []],
    ['made later than a day from now', { created_at_unix: NOW + DAY + 1 }, ['future']],
    ['active in the future', { last_activity_unix: NOW + DAY + 1 }, ['future']],
    ['crashed in the future', { last_crash_unix: NOW + DAY + 1 }, ['future']],
    ['a review without a commit', { status: 'needs_review' }, ['review_without_commit']],
    ['a review with a commit', { status: 'needs_review', commit_sha: 'a' }, []],
    ['an offline review without a commit', { status: 'offline', status_before_offline: 'needs_review' }, ['review_without_commit']],
    ['up and at work without a task: a person may use it', { status: 'working' }, []],
    [
      'offline at work on spaces',
      { status: 'offline', status_before_offline: 'working', current_prompt: ' \n' },
      ['working_without_prompt'],
    ],
    ['at work on a task', { status: 'working', current_prompt: 'x' }, []],
    ['offline at work without a task', { status: 'offline', status_before_offline: 'working' }, ['working_without_prompt']],
    ['in an unknown conflict', { status: 'rebasing' }, ['rebasing_without_resolution']],
    ['offline in an unknown conflict', { status: 'offline', status_before_offline: 'rebasing' }, ['rebasing_without_resolution']],
    ['rejected without a task', { status: 'rejected' }, []],
    ['offline from nowhere', { status: 'offline' }, []],
    ['offline from offline', { status: 'offline', status_before_offline: 'offline' }, ['offline_twice']],
    ['in conflict with several rules', { status: 'needs_review', worktree_path: '' }, ['place', 'review_without_commit']],
  ])('%s', (_, changes, rules) => {
    expect(findInconsistencies(view([record(changes)])).map(({ rule }) => rule)).toEqual(rules);
  });

  test('under a supervisor a worker may be at work without a task: a person typed in its terminal', () => {
    const working = record({ status: 'offline', status_before_offline: 'working' });
    expect(findInconsistencies(view([working], { supervised: true }))).toEqual([]);
  });

  test.each([undefined, new Set(['adam'])])(
    'a worker in a conflict is left alone where llmc.db knows it, or cannot be read',
    (resolving) => {
      expect(findInconsistencies(view([record({ status: 'rebasing' })], { resolving }))).toEqual([]);
    },
  );

  test('of two workers in one conversation, the older one keeps it; agents of another kind do not count', () => {
    const eve = { name: 'eve', worktree_path: '/w/eve' };
    const both = (changes: Partial<RecordView>) =>
      findInconsistencies(view([record({ conversation_id: 'c' }), record({ ...eve, conversation_id: 'c', ...changes })]));
    expect(both({ created_at_unix: 200 })).toMatchObject([{ rule: 'same_conversation', worker: 'eve' }]);
    expect(both({ created_at_unix: 50 })).toMatchObject([{ rule: 'same_conversation', worker: 'adam' }]);
    expect(both({})).toMatchObject([{ rule: 'same_conversation', worker: 'eve' }]);
    expect(both({ agent: 'claude' })).toEqual([]);
    expect(both({ conversation_id: null })).toEqual([]);
  });

  test('the last reviewed worker has to exist', () => {
    expect(findInconsistencies(view([record()], { lastReviewed: 'adam' }))).toEqual([]);
    expect(findInconsistencies(view([record()], { lastReviewed: 'eve' }))).toMatchObject([{ rule: 'reviewed_unknown', worker: null }]);
  });
});

describe('its repair', () => {
  test('sets only the times that lie in the future', () => {
    expect(repairRecord('future', record({ last_crash_unix: NOW + 2 * DAY }), NOW, undefined).set).toEqual({ last_crash_unix: NOW });
  });

  test('takes the commit of the branch, and calls a person where there is none', () => {
    expect(repairRecord('review_without_commit', record(), NOW, 'abc')).toMatchObject({ set: { commit_sha: 'abc' } });
    expect(repairRecord('review_without_commit', record(), NOW, 'abc').standing).toBeUndefined();
    expect(repairRecord('review_without_commit', record(), NOW, undefined)).toMatchObject({ standing: 'needs_input', called: 'no_commit' });
  });

  test('a worker that was offline twice is idle without a task, and calls a person with one', () => {
    expect(repairRecord('offline_twice', record(), NOW, undefined)).toMatchObject({ standing: 'idle' });
    expect(repairRecord('offline_twice', record({ current_prompt: 'x' }), NOW, undefined)).toMatchObject({ standing: 'needs_input' });
  });
});
