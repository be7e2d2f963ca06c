import { describe, expect, test } from 'vitest';
import { aRecord, RECORD_CASES, RECORDED_AT, records } from '../cases/record-cases.ts';
import { findInconsistencies, type RecordRepair, type RecordView, type RuleName, repairRecord } from './decide-consistency.ts';

describe('a record that contradicts itself', () => {
  test.each(RECORD_CASES)('of a worker that $when', ({ record, breaks }) => {
    expect(findInconsistencies(records([record])).map(({ rule }) => rule)).toEqual(breaks);
  });

  test('under a supervisor a worker may be at work without a task: a person typed in its terminal', () => {
    const working = aRecord({ status: 'offline', status_before_offline: 'working' });
    expect(findInconsistencies(records([working], { supervised: true }))).toEqual([]);
  });

  test.each([undefined, new Set(['adam'])])(
    'a worker in a conflict is left alone where llmc.db knows it, or cannot be read',
    (resolving) => {
      expect(findInconsistencies(records([aRecord({ status: 'rebasing' })], { resolving }))).toEqual([]);
    },
  );

  test('the task of a run is left alone where nobody can say which runs there are', () => {
    const worker = aRecord({ status: 'working', current_prompt: 'x', run: { id: 'swarm-2', task: { kind: 'work' } } });
    expect(findInconsistencies(records([worker], { runs: undefined }))).toEqual([]);
  });

  test('of two workers in one conversation, the older one keeps it; agents of another kind do not count', () => {
    const eve = { name: 'eve', worktree_path: '/w/eve' };
    const both = (changes: Partial<RecordView>) =>
      findInconsistencies(records([aRecord({ conversation_id: 'c' }), aRecord({ ...eve, conversation_id: 'c', ...changes })]));
    expect(both({ created_at_unix: 200 })).toMatchObject([{ rule: 'same_conversation', worker: 'eve' }]);
    expect(both({ created_at_unix: 50 })).toMatchObject([{ rule: 'same_conversation', worker: 'adam' }]);
    expect(both({})).toMatchObject([{ rule: 'same_conversation', worker: 'eve' }]);
    expect(both({ agent: 'claude' })).toEqual([]);
    expect(both({ conversation_id: null })).toEqual([]);
    expect(both({ conversation_id: 'd' })).toEqual([]);
    expect(findInconsistencies(records([aRecord(), aRecord(eve)]))).toEqual([]);
  });

  test('the last reviewed worker has to exist', () => {
    expect(findInconsistencies(records([aRecord()], { lastReviewed: 'adam' }))).toEqual([]);
    const eve = aRecord({ name: 'eve', worktree_path: '/w/eve' });
    expect(findInconsistencies(records([aRecord(), eve], { lastReviewed: 'adam' }))).toEqual([]);
    expect(findInconsistencies(records([aRecord()], { lastReviewed: 'eve' }))).toMatchObject([{ rule: 'reviewed_unknown', worker: null }]);
  });
});

describe('its repair', () => {
  test('sets only the times that lie in the future', () => {
    expect(repairRecord('future', aRecord({ last_crash_unix: RECORDED_AT + 2 * 86_400 }), RECORDED_AT, undefined).set).toEqual({
      last_crash_unix: RECORDED_AT,
    });
  });

  test('takes the commit of the branch, and calls a person where there is none', () => {
    expect(repairRecord('review_without_commit', aRecord(), RECORDED_AT, 'abc')).toMatchObject({ set: { commit_sha: 'abc' } });
    expect(repairRecord('review_without_commit', aRecord(), RECORDED_AT, 'abc').standing).toBeUndefined();
    expect(repairRecord('review_without_commit', aRecord(), RECORDED_AT, undefined)).toMatchObject({
      standing: 'needs_input',
      called: 'no_commit',
    });
  });

  test.each<[RuleName, Partial<RecordRepair>]>([
    ['place', { set: {} }],
    ['working_without_prompt', { set: {}, standing: 'needs_input', called: 'no_prompt' }],
    ['rebasing_without_resolution', { set: {}, standing: 'needs_input', called: 'no_conflict' }],
    ['same_conversation', { set: { conversation_id: null } }],
  ])('of the rule %s', (rule, repair) => {
    expect(repairRecord(rule, aRecord(), RECORDED_AT, undefined)).toEqual({ ...repair, why: expect.stringMatching(/./) });
  });

  test.each([
    ['working', { standing: 'needs_input', called: 'no_run' }],
    ['rejected', { standing: 'needs_input', called: 'no_run' }],
    ['needs_review', { called: 'no_run' }],
    ['idle', {}],
  ])('of a worker that is %s for a lost run makes a person its owner', (status, repair) => {
    const worker = aRecord({ status, run: { id: 'swarm-2', task: { kind: 'work' } } });
    expect(repairRecord('run_unknown', worker, RECORDED_AT, undefined)).toEqual({
      set: {},
      freed: true,
      ...repair,
      why: expect.stringContaining('swarm-2'),
    });
  });

  test('a worker that was offline twice is idle without a task, and calls a person with one', () => {
    expect(repairRecord('offline_twice', aRecord(), RECORDED_AT, undefined)).toMatchObject({ standing: 'idle' });
    expect(repairRecord('offline_twice', aRecord({ current_prompt: 'x' }), RECORDED_AT, undefined)).toMatchObject({
      standing: 'needs_input',
    });
  });
});
