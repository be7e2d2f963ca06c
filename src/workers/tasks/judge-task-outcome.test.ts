import { describe, expect, test } from 'vitest';
import { scratchDatabase } from '../../../test/support/scratch-store.ts';
import type { Attention } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { insertTask, listTaskReports, markTold, type Outcome, untoldReports } from '../../store/tables/tasks.ts';
import { aWorker, ofRun } from '../samples.ts';
import type { WorkerEvent } from '../status/transitions.ts';
import { judgeTaskOutcome } from './judge-task-outcome.ts';
import { judgeOwner, openTask } from './owner.ts';
import { isParked, reportTo } from './report-to.ts';

const atWork = (changes: Partial<Worker> = {}) =>
  aWorker({ status: 'working', run: ofRun({ task: { id: 'a1', kind: 'work' } }), ...changes });
const SHA = 'a'.repeat(40);
const question: Attention = { kind: 'question', question: 'Which?', choices: ['one', 'two'], unread: false };

describe('what a move means for the task of a run', () => {
  test.for<[string, WorkerEvent, Partial<Worker>, Partial<Outcome> | undefined]>([
    ['it left a commit', 'finished', { commit_sha: SHA }, { kind: 'finished', commit: SHA }],
    ['it left files', 'finished', {}, { kind: 'finished', commit: null }],
    ['its turn ended without a commit', 'stopped', { attention: { kind: 'no_commit' } }, { kind: 'stopped', why: 'why' }],
    ['it asks', 'stopped', { attention: question }, { kind: 'asked', question: 'Which?', choices: ['one', 'two'] }],
    [
      'it asks what only its terminal can answer',
      'stopped',
      { attention: { ...question, choices: [], unread: true } },
      { kind: 'asked', question: 'Which?', terminal: true },
    ],
    [
      'it asks how to log in',
      'stopped',
      { attention: { kind: 'login', question: 'Select login method:' } },
      { kind: 'asked', question: expect.stringMatching(/Log in: llmc attach/), terminal: true },
    ],
    [
      'the network failed too often',
      'stopped',
      { attention: { kind: 'turn_failed', error: 'network', message: 'ECONNRESET' } },
      { kind: 'failed', code: 'NETWORK_ERROR', error: 'network', message: 'ECONNRESET' },
    ],
    [
      'it is logged out',
      'failed',
      { attention: { kind: 'agent_blocked', error: 'auth', message: 'Log in' } },
      { kind: 'failed', code: 'AGENT_UNUSABLE', error: 'auth' },
    ],
    [
      'its request is refused for good',
      'failed',
      { attention: { kind: 'agent_blocked', error: 'invalid_request', message: 'No' } },
      { kind: 'failed', code: 'AGENT_UNUSABLE', error: 'invalid_request' },
    ],
    ['it crashed', 'failed', { attention: { kind: 'crashed', endings: 1 } }, { kind: 'crashed', how: 'crashed', screen: null }],
    ['its session vanished', 'failed', { attention: { kind: 'not_found', endings: 1 } }, { kind: 'crashed', how: 'not_found' }],
    [
      'its prompt was never taken',
      'failed',
      { attention: { kind: 'delivery_failed', reason: { kind: 'not_accepted', attempts: 3 } } },
      { kind: 'failed', code: 'DELIVERY_FAILED' },
    ],
    ['a stopped process', 'stopped', { attention: { kind: 'agent_stopped', pid: 7 } }, { kind: 'asked', choices: [] }],
    ['it goes on', 'continued', {}, { kind: 'answered' }],
    ['a person reset it', 'reset', {}, { kind: 'lost', why: 'why' }],
    ['llmc goes down', 'went_offline', {}, { kind: 'parked', until_ms: null }],
    ['llmc is up again', 'came_back', {}, { kind: 'unparked' }],
    ['it got the task', 'assigned', {}, undefined],
  ])('%s', ([, event, fields, expected]) => {
    const outcome = judgeTaskOutcome(atWork(), event, { why: 'why', fields });
    if (expected === undefined) expect(outcome).toBeUndefined();
    else expect(outcome).toMatchObject(expected);
  });

  test.for([
    ['a worker of a person', aWorker({ status: 'working' })],
    ['a worker between two tasks', atWork({ status: 'idle' })],
    ['work that a person reviews', atWork({ status: 'rejected', run: ofRun({ task: { id: 'l1', kind: 'review' } }) })],
  ] as const)('nothing for %s', ([, worker]) => {
    expect(openTask(worker)).toBeUndefined();
    expect(judgeTaskOutcome(worker, 'reset', { why: 'why', fields: {} })).toBeUndefined();
  });
});

test.for<[string, Worker, 'run' | 'person']>([
  ['a worker of config.toml', aWorker({ status: 'working' }), 'person'],
  ['one at work for its run', atWork(), 'run'],
  ['one of a run that llmc gave up', atWork({ status: 'error' }), 'run'],
  ['one without a task', aWorker({ run: ofRun() }), 'run'],
  ['one that was taken offline at its work', atWork({ status: 'offline', status_before_offline: 'working' }), 'run'],
  ['one whose commit waits for review', aWorker({ status: 'needs_review', run: ofRun({ task: { id: 'l1', kind: 'review' } }) }), 'person'],
  ['one whose landed work was taken back', aWorker({ status: 'needs_review', run: ofRun() }), 'person'],
])('who decides about the failures of %s', ([, worker, owner]) => {
  expect(judgeOwner(worker)).toBe(owner);
});

describe('reports to a run', () => {
  const task = {
    id: 'a1',
    run: 'swarm-1',
    worker: 'adam',
    kind: 'work',
    base: SHA,
    expects: { kind: 'files', files: ['a.md'] },
    created_ms: 1,
  } as const;

  test('are kept in their order until they were told, and have no end without a beginning', () => {
    using scratch = scratchDatabase();
    const { database } = scratch;
    insertTask(database, task);
    const say = (outcome: Outcome) => reportTo(database, atWork(), outcome, 5);
    say({ kind: 'unparked' });
    say({ kind: 'answered' });
    say({ kind: 'parked', until_ms: 9 });
    say({ kind: 'parked', until_ms: 9 });
    expect(isParked(database, 'a1')).toBe(true);
    say({ kind: 'unparked' });
    say({ kind: 'asked', question: 'Which?', choices: [] });
    say({ kind: 'answered' });
    say({ kind: 'answered' });
    const untold = untoldReports(database);
    expect(untold.map(({ outcome }) => outcome.kind)).toEqual(['parked', 'unparked', 'asked', 'answered']);
    expect(untold[0]).toMatchObject({ task: 'a1', run: 'swarm-1', worker: 'adam', at_ms: 5 });
    markTold(database, untold.slice(0, 3), 6);
    expect(untoldReports(database).map(({ outcome }) => outcome.kind)).toEqual(['answered']);
    expect(listTaskReports(database, 'a1')).toHaveLength(4);
  });

  test('are written for no worker without a task, and for no task that nobody gave', () => {
    using scratch = scratchDatabase();
    reportTo(scratch.database, aWorker(), { kind: 'halted' }, 5);
    reportTo(scratch.database, atWork(), { kind: 'halted' }, 5);
    expect(untoldReports(scratch.database)).toEqual([]);
  });
});
