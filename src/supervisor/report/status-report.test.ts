import { describe, expect, test } from 'vitest';
import { aLimit, NOON } from '../../recovery/cases/samples.ts';
import { LIMIT_POLICY } from '../../recovery/policies/limit-policy.ts';
import type { DeliveryReason } from '../../store/tables/delivery-reason.ts';
import { untilReset } from '../../workers/prompt/delivery-reason-text.ts';
import { aState, aWorker } from '../../workers/samples.ts';
import { anAssessment, BUSY, LIMIT, PERMISSION, READY } from '../samples.ts';
import { type ReportInput, statusReport } from './status-report.ts';

const input = (changes: Partial<ReportInput>): ReportInput => ({
  root: '/root',
  source: '/source',
  branch: 'main',
  supervisor: { running: false, pid: null, since_unix: null, stalled_since_unix: null },
  state: aState(),
  deliveryOf: () => null,
  modelOf: () => 'opus',
  accountOf: (agent) => agent,
  now: 0,
  watchedOf: () => undefined,
  ...changes,
});
const first = (changes: Partial<ReportInput>) => statusReport(input(changes)).workers[0];

describe('status --json', () => {
  test('says which validation command an accept runs, in place of "review it"', () => {
    const state = aState(aWorker({ status: 'needs_review', attention: { kind: 'review', uncommitted: false } }));
    expect(first({ state, now: 45_000, validationOf: () => ({ line: 'npm test', since: 5_000 }) })).toMatchObject({
      attention_kind: 'landing',
      attention: 'Landing: npm test, 40s',
    });
    expect(first({ state, validationOf: () => undefined })).toMatchObject({ attention_kind: 'review' });
  });

  test('has exactly the fields of the contract', () => {
    const worker = first({
      state: aState(aWorker()),
      deliveryOf: () => ({ id: 'd-1', state: 'acked', attempt: 1, reason: null, pending: 0 }),
    });
    expect(Object.keys(worker ?? {}).toSorted()).toEqual(
      [
        'activity',
        'agent',
        'asks',
        'attention',
        'attention_kind',
        'branch',
        'commit_sha',
        'crash_count',
        'created_at_unix',
        'current_prompt',
        'delivery',
        'draft_comments',
        'draft_message',
        'work_id',

        'landed_on',
        'last_activity_unix',
        'last_message',
        'model',
        'name',
        'reviewed',
        'run',
        'sandbox',
        'session_id',
        'status',
        'status_before_offline',
        'usage',
        'waiting',
        'waiting_kind',
        'work',
        'worktree_path',
      ].toSorted(),
    );
  });

  test('lists workers in the order they were added, and by name within a second', () => {
    const state = aState(
      aWorker({ name: 'c', created_at_unix: 2 }),
      aWorker({ name: 'b', created_at_unix: 1 }),
      aWorker({ name: 'a', created_at_unix: 2 }),
    );
    expect(statusReport(input({ state })).workers.map(({ name }) => name)).toEqual(['b', 'a', 'c']);
  });

  test('leaves out the worktree in which a run runs shell lines: it has no agent', () => {
    const run = { id: 'fix-1', role: 'check', agent: 'demo', model: null, role_prompt: null, session: '', resting: true, task: null };
    const state = aState(aWorker({ name: 'fix-1--check', run }), aWorker({ name: 'fix-1-check', run }));
    expect(statusReport(input({ state })).workers.map(({ name }) => name)).toEqual(['fix-1-check']);
  });

  test.each([
    [
      'its observed activity',
      aWorker({ status: 'working' }),
      anAssessment({ kind: 'processing', detail: 'retrying' }, { since: 7_900 }),
      { kind: 'processing', detail: 'retrying', since_unix: 7, source: 'hook' },
    ],
    [
      'that it was not observed',
      aWorker({ status: 'working' }),
      undefined,
      { kind: 'unknown', detail: null, since_unix: 100, source: 'none' },
    ],
    [
      'that it does not run',
      aWorker({ status: 'offline' }),
      anAssessment(BUSY),
      { kind: 'exited', detail: null, since_unix: 100, source: 'none' },
    ],
  ])('reports for each worker %s', (_, worker, assessment, activity) => {
    expect(first({ state: aState(worker), watchedOf: () => assessment && { assessment } })?.activity).toEqual(activity);
  });

  test('a supervisor that runs and does nothing is the first problem, with what to type', () => {
    const supervisor = { running: true, pid: 1, since_unix: 1, stalled_since_unix: 60 };
    expect(statusReport(input({ supervisor, problems: ['config.toml is broken'], now: 600_000 })).problems).toEqual([
      expect.stringMatching(/^the supervisor has done nothing since .* – llmc up --replace --detach /),
      'config.toml is broken',
    ]);
  });

  test('reports what a person should do: the stored attention first, else how to start the worker', () => {
    expect(first({ state: aState(aWorker({ status: 'offline' })) })?.attention).toBe('Start it: llmc up --detach');
    const supervisor = { running: true, pid: 1, since_unix: 1, stalled_since_unix: null };
    const away = { supervisor, state: aState(aWorker({ status: 'offline', created_at_unix: 100 })) };
    expect(first({ ...away, now: 119_999 })?.attention).toBe('It is being started');
    expect(first({ ...away, now: 120_000 })?.attention).toBe('Its session does not run: llmc why adam');
    const restarted = { ...away, supervisor: { ...supervisor, since_unix: 500 } };
    expect(first({ ...restarted, now: 501_000 })?.attention_kind).toBe('being_started');
    expect(first({ state: aState(aWorker({ status: 'offline', attention: { kind: 'review', uncommitted: false } })) })?.attention).toBe(
      'Review it: llmc review adam',
    );
    expect(first({ state: aState(aWorker()) })?.attention).toBeNull();
  });

  test('shows trouble and open dialogs instead of the stored attention, as long as they last', () => {
    const state = aState(aWorker({ status: 'needs_review', attention: { kind: 'review', uncommitted: false } }));
    expect(first({ state, troubleOf: () => ({ kind: 'trouble', message: 'disk full', hint: null }) })?.attention).toBe(
      'Disk full. More: llmc why adam',
    );
    expect(first({ state, watchedOf: () => ({ assessment: anAssessment(PERMISSION) }) })?.attention).toMatch(
      /wants permission for Bash.*llmc answer adam/,
    );
    expect(first({ state, watchedOf: () => ({ assessment: anAssessment(READY) }) })?.attention).toBe('Review it: llmc review adam');
  });
});

describe('a usage limit', () => {
  const limits = { demo: aLimit({ account: 'demo' }), old: aLimit({ account: 'old', ended_ms: NOON }) };
  const state = { ...aState(aWorker({ status: 'working' })), limits };
  const held = (reason: DeliveryReason) => ({ id: 'd-1', state: 'held', attempt: 0, reason, pending: 1 });
  const waiting = (changes: Partial<ReportInput>) => first({ state, now: NOON, ...changes })?.waiting;

  test('is reported while it holds, in seconds', () => {
    expect(statusReport(input({ state, now: NOON })).limits).toEqual([
      {
        account: 'demo',
        worker: 'adam',
        why: 'limit reached',
        continues_by_itself: false,
        since_unix: Math.floor(NOON / 1_000),
        until_unix: Math.ceil((NOON + LIMIT_POLICY.guessMs) / 1_000),
      },
    ]);
    expect(statusReport(input({ state, now: NOON + LIMIT_POLICY.guessMs })).limits).toEqual([]);
  });

  test('is what a worker waits for that reached it, or has a prompt to send', () => {
    expect(waiting({ watchedOf: () => ({ assessment: anAssessment(LIMIT) }) })).toMatch(
      /^waiting for the usage limit of demo until .*\d\d:\d\d$/,
    );
    expect(waiting({ deliveryOf: () => held(untilReset('demo', new Date(2026, 0, 1, 14, 5).getTime())) })).toMatch(/14:05$/);
  });

  test('does not concern a worker that works, is held for another reason, or belongs to another account', () => {
    expect(waiting({ watchedOf: () => ({ assessment: anAssessment(BUSY) }) })).toBeNull();
    expect(waiting({ deliveryOf: () => held({ kind: 'busy' }) })).toBeNull();
    expect(waiting({ watchedOf: () => ({ assessment: anAssessment(LIMIT) }), accountOf: () => 'other' })).toBeNull();
  });
});
