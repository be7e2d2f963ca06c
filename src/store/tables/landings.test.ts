import { expect, test } from 'vitest';
import { scratchDatabase } from '../../../test/support/scratch-store.ts';
import type { Database } from '../database.ts';
import {
  abandonLandings,
  findLanding,
  insertLanding,
  landingsBeforeAfterAccept,
  lastLanded,
  markLanded,
  nthLanded,
  openLandings,
  prepareLanding,
  rememberBefore,
  settleLanding,
  unreportedLandings,
} from './landings.ts';
import { insertUndo, markMoved, settleUndo } from './undos.ts';

function insert(database: Database, id: string, worker: string, createdMs: number): void {
  insertLanding(database, { id, worker, head: 'a'.repeat(40), message: null, branch: null, created_ms: createdMs });
}

const open = (database: Database): readonly string[] => openLandings(database).map(({ id, phase }) => `${id} ${phase}`);

test('a landing is open from its intent until it is settled, and says how far it came', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  insert(database, 'one', 'adam', 1_000);
  expect(openLandings(database)).toEqual([
    {
      id: 'one',
      worker: 'adam',
      phase: 'intended',
      message: null,
      branch: null,
      branch_before: null,
      head: 'a'.repeat(40),
      onto: null,
      landed: null,
      work: null,
      before: null,
      created_ms: 1_000,
      settled_ms: null,
      outcome: null,
    },
  ]);
  prepareLanding(database, 'one', 'main', 'commit', 'work');
  expect(openLandings(database)).toMatchObject([{ phase: 'prepared', onto: 'main', landed: 'commit', work: 'work' }]);
  markLanded(database, 'one');
  expect(open(database)).toEqual(['one landed']);
  settleLanding(database, 'one', 'landed', 2_000);
  expect(open(database)).toEqual([]);
  expect(database.prepare('SELECT outcome, settled_ms FROM landings').all()).toEqual([{ outcome: 'landed', settled_ms: 2_000 }]);
});

test('open landings come in the order they were begun', () => {
  using scratch = scratchDatabase();
  insert(scratch.database, 'second', 'adam', 2_000);
  insert(scratch.database, 'first', 'baker', 1_000);
  expect(open(scratch.database)).toEqual(['first intended', 'second intended']);
});

test('abandoning ends what a worker has open, and touches nothing that is settled or of another', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  insert(database, 'old', 'adam', 1_000);
  settleLanding(database, 'old', 'landed', 1_500);
  insert(database, 'mine', 'adam', 2_000);
  insert(database, 'theirs', 'baker', 2_000);
  abandonLandings(database, 'adam', 'the worker was reset', 3_000);
  expect(open(database)).toEqual(['theirs intended']);
  expect(database.prepare("SELECT id, outcome FROM landings WHERE worker = 'adam' ORDER BY id").all()).toEqual([
    { id: 'mine', outcome: 'the worker was reset' },
    { id: 'old', outcome: 'landed' },
  ]);
});

test('a landing that is prepared again after a crash keeps the commits from before its squash', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  insert(database, 'one', 'adam', 1_000);
  prepareLanding(database, 'one', 'main', 'squashed', 'work');
  prepareLanding(database, 'one', 'main', 'squashed', 'squashed');
  expect(findLanding(database, 'one')).toMatchObject({ landed: 'squashed', work: 'work' });
  prepareLanding(database, 'one', 'later main', 'squashed again', 'rebased');
  expect(findLanding(database, 'one')).toMatchObject({ landed: 'squashed again', work: 'rebased' });
});

test('the last landing is the one that settled last with a commit on main', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  const before = {
    agent: 'demo',
    current_prompt: 'Task',
    expects: 'commit',
    conversation_id: null,
    conversation_used: false,
    resolution: null,
    summary: null,
  } as const;
  for (const [id, worker, at] of [
    ['one', 'adam', 1],
    ['two', 'baker', 2],
    ['three', 'adam', 3],
    ['four', 'adam', 4],
  ] as const) {
    insert(database, id, worker, at);
    if (id !== 'three') prepareLanding(database, id, 'main', id, 'work');
    settleLanding(database, id, id === 'four' ? 'not landed' : 'landed', at);
  }
  rememberBefore(database, 'two', before, 'other');
  expect(lastLanded(database)).toMatchObject({ id: 'two', before, landed: 'two' });
  expect(lastLanded(database, 'adam')).toMatchObject({ id: 'one', before: null });
  expect(nthLanded(database, 1)).toMatchObject({ id: 'one' });
  expect([lastLanded(database, 'eve'), nthLanded(database, 2)]).toEqual([undefined, undefined]);
});

test('a landing that was taken back has nothing left to run and to report', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  insert(database, 'one', 'adam', 1_000);
  prepareLanding(database, 'one', 'main', 'commit', 'work');
  markLanded(database, 'one');
  settleLanding(database, 'one', 'landed', 2_000);
  const due = () => [landingsBeforeAfterAccept(database), unreportedLandings(database)].map((rows) => rows.map(({ id }) => id));
  const undo = { landing: 'one', worker: 'adam', kind: 'take_back' as const, branch: 'main', landed: 'commit', onto: 'main' };
  insertUndo(database, { ...undo, id: 'failed', created_ms: 3_000 });
  settleUndo(database, 'failed', 'failed', 3_100);
  expect(due()).toEqual([['one'], ['one']]);
  insertUndo(database, { ...undo, id: 'done', created_ms: 4_000 });
  markMoved(database, 'done');
  expect(due()).toEqual([[], []]);
});
