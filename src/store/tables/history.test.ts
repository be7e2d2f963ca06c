import { expect, test } from 'vitest';
import { scratchDatabase } from '../../../test/support/scratch-store.ts';
import { inTransaction } from '../database.ts';
import { insertHistory, pruneHistory, recentHistory, tamperingSince } from './history.ts';

test('the oldest lines of a very long history are forgotten', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  const line = (worker: string) => insertHistory(database, { at: 1, worker, kind: 'status', summary: 'idle → working' }, 1);
  inTransaction(database, () => {
    for (const worker of ['first', 'second', 'third']) line(worker);
    database.exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99998) INSERT INTO history (at_ms, kind, summary) SELECT 1, 'x', 'x' FROM n",
    );
  });
  pruneHistory(database);
  expect(['first', 'second', 'third'].map((worker) => recentHistory(database, worker, 9).length)).toEqual([0, 1, 1]);
});

test('what agents tampered with is counted since a time, with the last change', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  expect(tamperingSince(database, 0)).toBeUndefined();
  const line = (at: number, kind: string, worker: string | null, summary: string) =>
    insertHistory(database, { at, worker, kind, summary }, 1);
  line(10, 'tampering', null, 'too long ago');
  line(30, 'tampering', 'adam', 'the last one');
  line(20, 'tampering', null, 'the one before');
  line(40, 'status', 'adam', 'idle → working');
  expect(tamperingSince(database, 20)).toEqual({ times: 2, lastAt: 30, worker: 'adam', summary: 'the last one' });
  expect(tamperingSince(database, 31)).toBeUndefined();
});
