import { expect, test } from 'vitest';
import { scratchDatabase } from '../../../test/support/scratch-store.ts';
import type { Database } from '../database.ts';
import { answerTo, findAnswer, insertAnswer, markDismissed, pruneAnswers } from './answers.ts';
import {
  cancelQueued,
  endGiven,
  insertQueued,
  markGiven,
  pruneQueue,
  readQueueStates,
  reopenGiven,
  TASKS_KEPT,
  wasPruned,
} from './queue.ts';

const TASK = { prompt: 'Fix it', expects: 'answer', priority: 0, worker: null, agent: null, created_ms: 1 } as const;
const add = (database: Database, after: readonly number[] = []) => insertQueued(database, { ...TASK, after });

function done(database: Database, worker: string, givenMs: number): number {
  const number = add(database);
  markGiven(database, number, worker, `d${number}`, givenMs);
  answer(database, worker, `a${number}`);
  markDismissed(database, `a${number}`, null, givenMs + 1);
  endGiven(database, worker, 'done', givenMs + 1);
  return number;
}

const answer = (database: Database, worker: string, id: string) =>
  insertAnswer(database, { id, worker, task: null, text: id, source: 'message', cut: 0, given_ms: 2 });

/** A task so much later that everything before it is old, with its answer. Returns its number. */
function muchLater(database: Database): number {
  database.prepare("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'queue'").run(TASKS_KEPT);
  const number = done(database, 'zoe', 1_000);
  database.prepare('UPDATE answers SET rowid = rowid + ? WHERE number = ?').run(TASKS_KEPT, number);
  return number;
}

test('old tasks go with their answers once they have ended; what is open, waited for or the last of its worker stays', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  const canceled = add(database);
  cancelQueued(database, canceled, 9);
  const first = done(database, 'adam', 10);
  const waitedFor = done(database, 'adam', 20);
  const last = done(database, 'adam', 30);
  const waiting = add(database, [waitedFor]);
  const given = add(database);
  markGiven(database, given, 'eve', 'd', 40);
  answer(database, 'eve', 'unread');
  answer(database, 'bob', 'asked in another way');
  const tasks = { canceled, first, waitedFor, last, waiting, given, later: muchLater(database) };
  const kept = () => {
    const states = readQueueStates(database, Object.values(tasks));
    return Object.entries(tasks).flatMap(([name, number]) => (states.has(number) ? name : []));
  };
  pruneQueue(database);
  pruneAnswers(database, ['unread']);
  expect(kept()).toEqual(['waitedFor', 'last', 'waiting', 'given', 'later']);
  expect(answerTo(database, tasks.first)).toBeUndefined();
  expect(answerTo(database, tasks.waitedFor)?.text).toBe(`a${tasks.waitedFor}`);
  expect(findAnswer(database, 'unread')).toBeDefined();
  expect(findAnswer(database, 'asked in another way')).toBeUndefined();
  expect(answerTo(database, tasks.later)?.text).toBe(`a${tasks.later}`);

  reopenGiven(database, 'adam');
  expect(readQueueStates(database, [tasks.last]).get(tasks.last)).toBe('given');
  cancelQueued(database, tasks.waiting, 99);
  pruneQueue(database);
  expect(kept()).toEqual(['last', 'given', 'later']);
});

test('an old answer that nobody has read stays, also without its task', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  answer(database, 'adam', 'read');
  answer(database, 'adam', 'unread');
  muchLater(database);
  pruneAnswers(database, ['unread']);
  expect([findAnswer(database, 'read'), findAnswer(database, 'unread')?.text]).toEqual([undefined, 'unread']);
});

test('the number of a deleted task is known as such, and no task gets it again', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  const first = done(database, 'zoe', 1);
  const later = muchLater(database);
  expect(wasPruned(database, first)).toBe(false);
  pruneQueue(database);
  expect([first, later, later + 1, 0].map((number) => wasPruned(database, number))).toEqual([true, false, false, false]);
  expect(add(database)).toBe(later + 1);
});
