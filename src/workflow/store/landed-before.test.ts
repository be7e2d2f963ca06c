import { beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../store/database.ts';
import { insertTask, reportOutcome } from '../../store/tables/tasks.ts';
import { newRun, swarmPlan } from '../next/samples.ts';
import { landedBefore } from './landed-before.ts';
import { insertRunTask as queueTask } from './sqlite-queue.ts';
import { SqliteRuns } from './sqlite-runs.ts';

let database: Database;
beforeEach(async () => {
  database = openDatabase(':memory:');
  await new SqliteRuns(database).create(newRun(swarmPlan(), 0), { key: 'begin', at: 0, dice: 0, what: { kind: 'begin' } });
});

/** The run offers a commit, and a person accepts it. */
function accept(id: string, commit: string, landed: string | null): void {
  queueTask(database, 'swarm-1', { id, step: 'land', task: { kind: 'land', of: 'develop', seat: 'developer', commit, by: 'person' } }, 0);
  const worker = 'swarm-1-developer';
  insertTask(database, { id, run: 'swarm-1', worker, kind: 'review', base: 'b', created_ms: 0, expects: { kind: 'commit' } });
  reportOutcome(database, id, { kind: 'landed', commit: landed }, 0);
}

test('a commit that a person accepted has landed, and another one has not', () => {
  accept('swarm-1.9', 'work', 'on main');
  expect(landedBefore(database, 'swarm-1', 'work')).toBe('on main');
  expect(landedBefore(database, 'swarm-1', 'other work')).toBeUndefined();
  expect(landedBefore(database, 'swarm-2', 'work')).toBeUndefined();
});

test('a change that main had already has landed without a commit', () => {
  accept('swarm-1.9', 'work', null);
  expect(landedBefore(database, 'swarm-1', 'work')).toBeNull();
});

test.each([
  ['a person took it back', 'done', undefined],
  ['taking it back failed', 'failed', 'on main'],
])('%s', (_name, outcome, expected) => {
  accept('swarm-1.9', 'work', 'on main');
  const undo =
    'INSERT INTO undos (id, landing, worker, kind, phase, branch, landed, outcome, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)';
  database.prepare(undo).run('u1', 'l1', 'swarm-1-developer', 'take_back', 'settled', 'main', 'on main', outcome);
  expect(landedBefore(database, 'swarm-1', 'work')).toBe(expected);
});
