import { expect, test } from 'vitest';
import { PATROL_CASES, patrolled } from './cases/patrol-cases.ts';
import { decidePatrol, OVERLOOKED_MS } from './decide-patrol.ts';

test.each(PATROL_CASES)('a worker that $when', ({ view, finds }) => {
  expect(decidePatrol([view])).toEqual(finds.map((kind) => ({ kind, workers: ['adam'] })));
});

test('each kind is one finding with all its workers, in the order of the operations', () => {
  const views = [
    patrolled({ name: 'dora', stuck: true }),
    patrolled({ name: 'carl', readyMs: OVERLOOKED_MS }),
    patrolled({ name: 'baker', session: 'gone', goneMs: OVERLOOKED_MS }),
    patrolled({ name: 'adam', session: 'gone', goneMs: OVERLOOKED_MS }),
  ];
  expect(decidePatrol(views)).toEqual([
    { kind: 'session_missing', workers: ['baker', 'adam'] },
    { kind: 'turn_over', workers: ['carl'] },
    { kind: 'stuck', workers: ['dora'] },
  ]);
  expect(decidePatrol([])).toEqual([]);
});
