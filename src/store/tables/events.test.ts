import { expect, test } from 'vitest';
import { scratchDatabase } from '../../../test/support/scratch-store.ts';
import type { AgentEvent, SpoolEvent } from '../../agents/events.ts';
import {
  forgetEvents,
  isRecorded,
  keepSeal,
  lastEventSeq,
  pruneEvents,
  readEvents,
  recentEvents,
  recordEvent,
  sealCheck,
} from './events.ts';

const spooled = (id: string, changes: Partial<SpoolEvent> = {}): SpoolEvent => ({
  id,
  worker: 'adam',
  incarnation: 1,
  name: 'stop',
  at: 1_000.75,
  payload: {},
  ...changes,
});
const ended: AgentEvent = { kind: 'turn_ended', message: 'done – 一', backgroundTasks: 0 };

test('an event is recorded with what it says, and once', () => {
  using scratch = scratchDatabase();
  const first = recordEvent(scratch.database, spooled('a'), ended, 'applied');
  expect(first).toMatchObject({ seq: 1, worker: 'adam', incarnation: 1, name: 'stop', fate: 'applied', event: ended });
  expect(recordEvent(scratch.database, spooled('a'), ended, 'applied')).toBeUndefined();
  expect([isRecorded(scratch.database, 'a'), isRecorded(scratch.database, 'b')]).toEqual([true, false]);
  // A second file of the same hook is another event: what it means is for others to say.
  const second = recordEvent(scratch.database, spooled('b'), ended, 'applied');
  expect(second?.seq).toBeGreaterThan(first?.seq ?? 0);
  expect(recentEvents(scratch.database, 'adam', 10)).toHaveLength(2);
  expect(lastEventSeq(scratch.database)).toBe(second?.seq);
});

test('an event is recorded once, also with another incarnation or result', () => {
  using scratch = scratchDatabase();
  recordEvent(scratch.database, spooled('a', { incarnation: 1 }), ended, 'applied');
  expect(recordEvent(scratch.database, spooled('a', { incarnation: 2 }), ended, 'stale')).toBeUndefined();
});

test('the story of a life has its own applied events, in the order they were recorded', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  recordEvent(database, spooled('old', { incarnation: 1 }), ended, 'applied');
  recordEvent(database, spooled('late', { at: 9_000, incarnation: 2, name: 'ready' }), { kind: 'ready' }, 'applied');
  recordEvent(database, spooled('early', { at: 5_000, incarnation: 2 }), ended, 'applied');
  recordEvent(database, spooled('stale', { incarnation: 2 }), ended, 'stale');
  recordEvent(database, spooled('garbage', { incarnation: 2 }), { kind: 'ignored' }, 'garbage');
  recordEvent(database, spooled('theirs', { worker: 'baker', incarnation: 2 }), ended, 'applied');
  expect([...readEvents(database, 'adam', 2)].map(({ event, at }) => [event.kind, at])).toEqual([
    ['ready', 9_000],
    ['turn_ended', 5_000],
  ]);
  expect(recentEvents(database, 'adam', 2).map(({ fate }) => fate)).toEqual(['garbage', 'stale']);
});

test('numbers are never given twice, even after the last events were forgotten', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  for (const incarnation of [1, 2, 3, 4, 5]) recordEvent(database, spooled(`${incarnation}`, { incarnation }), ended, 'applied');
  recordEvent(database, spooled('theirs', { worker: 'baker' }), ended, 'applied');
  pruneEvents(database, 'adam', 5);
  expect(recentEvents(database, 'adam', 10).map(({ incarnation }) => incarnation)).toEqual([5, 4, 3, 2]);
  expect(recentEvents(database, 'baker', 10)).toHaveLength(1);
  pruneEvents(database, 'adam', 50);
  pruneEvents(database, 'baker', 50);
  expect(lastEventSeq(database)).toBe(0);
  expect(recordEvent(database, spooled('next'), ended, 'applied')?.seq).toBe(7);
});

test('only the seal of the incarnation passes, also after a restart, and the database does not contain it', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  keepSeal(database, 'adam', 3, 'seal-of-three');
  const passes = sealCheck(database, 'adam', 3);
  expect(['seal-of-three', 'seal-of-two', '', undefined].map(passes)).toEqual([true, false, false, false]);
  expect(JSON.stringify(database.prepare('SELECT * FROM seals').all())).not.toContain('seal-of-three');
});

test('a new incarnation has a new seal', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  keepSeal(database, 'adam', 3, 'seal-of-three');
  keepSeal(database, 'adam', 4, 'seal-of-four');
  expect(['seal-of-three', 'seal-of-four'].map(sealCheck(database, 'adam', 4))).toEqual([false, true]);
});

test('every report passes for an agent whose seal was lost with llmc.db, and for a removed worker', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  keepSeal(database, 'adam', 3, 'seal-of-three');
  expect(sealCheck(database, 'adam', 2)(undefined)).toBe(true);
  expect(sealCheck(database, 'baker', 3)(undefined)).toBe(true);
  forgetEvents(database, 'adam');
  expect(sealCheck(database, 'adam', 3)(undefined)).toBe(true);
});
