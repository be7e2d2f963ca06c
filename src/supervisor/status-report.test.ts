import { describe, expect, test } from 'vitest';
import { aState, aWorker } from '../workers/samples.ts';
import { anAssessment, BUSY, PERMISSION, READY } from './samples.ts';
import { type ReportInput, statusReport } from './status-report.ts';

const input = (changes: Partial<ReportInput>): ReportInput => ({
  ...{ root: '/root', source: '/source', branch: 'main', supervisor: { running: false, pid: null, since_unix: null } },
  state: aState(),
  deliveryOf: () => null,
  modelOf: () => 'opus',
  accountOf: (agent) => agent,
  now: 0,
  assessmentOf: () => undefined,
  ...changes,
});
const first = (changes: Partial<ReportInput>) => statusReport(input(changes)).workers[0];

describe('status --json', () => {
  test('has the fields of the contract, and no more than scripts may rely on', () => {
    const worker = first({ state: aState(aWorker()), deliveryOf: () => ({ id: 'd-1', state: 'acked', attempt: 1, reason: null }) });
    expect(Object.keys(worker ?? {}).toSorted()).toEqual(
      [
        ...['activity', 'agent', 'attention', 'branch', 'commit_sha', 'crash_count', 'created_at_unix', 'current_prompt', 'delivery'],
        ...['last_activity_unix', 'model', 'name', 'session_id', 'status', 'status_before_offline', 'waiting', 'worktree_path'],
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

  test.each([
    [
      'what it was seen doing',
      aWorker({ status: 'working' }),
      anAssessment({ kind: 'processing', detail: 'retrying' }, { since: 7_900 }),
      { kind: 'processing', detail: 'retrying', since_unix: 7, source: 'hook' },
    ],
    [
      'that nobody has looked',
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
  ])('says of each worker %s', (_, worker, assessment, activity) => {
    expect(first({ state: aState(worker), assessmentOf: () => assessment })?.activity).toEqual(activity);
  });

  test('says what a person should do: its own word first, else how to start it', () => {
    expect(first({ state: aState(aWorker({ status: 'offline' })) })?.attention).toBe('Start it: llmc up --detach');
    expect(first({ state: aState(aWorker({ status: 'offline', attention: 'Review it' })) })?.attention).toBe('Review it');
    expect(first({ state: aState(aWorker()) })?.attention).toBeNull();
  });

  test('shows trouble and open dialogs over what was written down, as long as they last', () => {
    const state = aState(aWorker({ status: 'needs_review', attention: 'Review it' }));
    expect(first({ state, troubleOf: () => 'disk full' })?.attention).toBe('disk full – llmc why adam');
    expect(first({ state, assessmentOf: () => anAssessment(PERMISSION) })?.attention).toMatch(
      /wants permission for Bash.*llmc answer adam/,
    );
    expect(first({ state, assessmentOf: () => anAssessment(READY) })?.attention).toBe('Review it');
  });
});
