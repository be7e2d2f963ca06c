import { expect, test } from 'vitest';
import { scratchDatabase } from '../../../test/support/scratch-store.ts';
import type { Database } from '../database.ts';
import { abandonResolutions, insertResolution, lastResolution, openResolution, settleResolution, updateResolution } from './resolutions.ts';

const [HEAD, ONTO, BASE] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];

function insert(database: Database, id: string, worker: string, createdMs: number): void {
  insertResolution(database, { id, worker, cause: 'rebase', branch: 'main', head: HEAD, onto: ONTO, base: BASE, created_ms: createdMs });
}

test('a resolution is open from its intent until it is settled, and says how far it came', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  insert(database, 'one', 'adam', 1_000);
  expect(openResolution(database, 'adam')).toEqual({
    id: 'one',
    worker: 'adam',
    cause: 'rebase',
    phase: 'intended',
    branch: 'main',
    head: HEAD,
    onto: ONTO,
    base: BASE,
    files: [],
    attempts: 0,
    loops: 0,
    stop: null,
    continuing: null,
    called: null,
    asked_ms: null,
    help_ms: null,

    sent_back: 0,
    failures: 0,
    proven_commit: null,
    proof: null,
    rescue: null,
    ruled: [],
    worktree_lost: 0,
    outcome: null,
    created_ms: 1_000,
    settled_ms: null,
  });
  const continuing = { commit: HEAD, from: ONTO };
  updateResolution(database, 'one', { phase: 'asked', files: ['a b.txt', 'ü'], continuing, called: 'loop' });
  expect(openResolution(database, 'adam')).toMatchObject({ phase: 'asked', files: ['a b.txt', 'ü'], continuing, called: 'loop' });
  updateResolution(database, 'one', { continuing: null });
  settleResolution(database, 'one', 'resolved', 2_000);
  expect(openResolution(database, 'adam')).toBeUndefined();
  expect(lastResolution(database, 'adam')).toMatchObject({ phase: 'settled', outcome: 'resolved', settled_ms: 2_000, continuing: null });
});

test('a reset ends what is open, and touches no other resolution', () => {
  using scratch = scratchDatabase();
  const { database } = scratch;
  insert(database, 'old', 'adam', 1_000);
  settleResolution(database, 'old', 'aborted', 1_500);
  insert(database, 'mine', 'adam', 2_000);
  insert(database, 'theirs', 'baker', 2_000);
  abandonResolutions(database, 'adam', 3_000);
  abandonResolutions(database, 'adam', 4_000);
  expect(database.prepare('SELECT id, outcome, settled_ms FROM resolutions ORDER BY id').all()).toEqual([
    { id: 'mine', outcome: 'replaced', settled_ms: 3_000 },
    { id: 'old', outcome: 'aborted', settled_ms: 1_500 },
    { id: 'theirs', outcome: null, settled_ms: null },
  ]);
});
