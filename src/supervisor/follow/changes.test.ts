import { expect, test } from 'vitest';
import type { StatusReport } from '../report/status-report.ts';
import { changesBetween, sharedReport, withChanges } from './changes.ts';
import { aReport } from './samples.ts';

const start = aReport({ adam: {}, berta: { current_prompt: 'a long task' } });

/** What a follower has after it got the difference, as JSON, between two reports that share nothing. */
function sent(before: StatusReport, after: StatusReport) {
  const changes = changesBetween(before, sharedReport(before, structuredClone(after)));
  const received = changes && withChanges(before, JSON.parse(JSON.stringify(changes)));
  return { changes, received };
}

test('nothing is sent if nothing has changed', () => {
  expect(sent(start, start).changes).toBeUndefined();
});

test('only the changed fields of a worker are sent, and the others keep their identity', () => {
  const { changes, received } = sent(start, aReport({ adam: { status: 'working' }, berta: { current_prompt: 'a long task' } }));
  expect(changes).toEqual({ changed: [{ name: 'adam', status: 'working' }] });
  expect(received?.workers[1]).toBe(start.workers[1]);
  expect(received?.workers[0]?.status).toBe('working');
});

test.each([
  ['a worker comes', aReport({ adam: {}, berta: { current_prompt: 'a long task' }, carl: {} })],
  ['a worker comes first', aReport({ aaron: {}, adam: {}, berta: { current_prompt: 'a long task' } })],
  ['a worker goes', aReport({ berta: { current_prompt: 'a long task' } })],
  ['all go', aReport({})],
  ['one is replaced', aReport({ adam: {}, carl: {} })],
  ['the queue grows', { ...start, queue: { waiting: 3 } }],
  ['a prompt ends', aReport({ adam: {}, berta: { current_prompt: null } })],
  ['all at once', { ...aReport({ carl: {}, adam: { status: 'error' } }), budget: 'spent', problems: ['the disk is full'] }],
])('%s: the follower has the same report', (_, after) => {
  expect(sent(start, after).received).toEqual(after);
});

test('a change of an unknown worker is ignored', () => {
  expect(withChanges(start, { changed: [{ name: '__proto__', status: 'working' }] }).workers).toEqual(start.workers);
});
