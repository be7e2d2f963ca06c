import { expect, test } from 'vitest';
import { decidePatrol, OVERLOOKED_MS, type PatrolFinding, type PatrolView } from './decide-patrol.ts';

const view = (changes: Partial<PatrolView> = {}): PatrolView => ({
  ...{ name: 'adam', busy: false, offline: false, expected: true, session: 'alive', goneMs: 0, readyMs: undefined, stuck: false },
  ...changes,
});

test.each<[string, Partial<PatrolView>, PatrolFinding['kind'][]]>([
  ['runs', {}, []],
  ['lost its session long ago', { session: 'gone', goneMs: OVERLOOKED_MS }, ['session_missing']],
  ['lost its session just now: the passes handle it', { session: 'gone', goneMs: OVERLOOKED_MS - 1 }, []],
  ['was given up', { session: 'gone', goneMs: OVERLOOKED_MS, expected: false }, []],
  ['is offline', { offline: true, expected: false, session: 'gone', goneMs: OVERLOOKED_MS }, []],
  ['is offline, and its session runs', { offline: true, expected: false }, ['session_restored']],
  ['is offline, its session runs, and a command works on it', { offline: true, expected: false, busy: true }, []],
  ['has been ready for a minute while it counts as working', { readyMs: OVERLOOKED_MS }, ['turn_over']],
  ['has just become ready', { readyMs: OVERLOOKED_MS - 1 }, []],
  ['shows no progress', { stuck: true }, ['stuck']],
  ['cannot be observed: tmux does not answer', { session: 'unknown', goneMs: OVERLOOKED_MS, readyMs: OVERLOOKED_MS, stuck: true }, []],
  ['is being stepped', { busy: true, readyMs: OVERLOOKED_MS, stuck: true }, []],
])('a worker that %s', (_, changes, kinds) => {
  expect(decidePatrol([view(changes)])).toEqual(kinds.map((kind) => ({ kind, workers: ['adam'] })));
});

test('each kind is one finding with all its workers, in the order of the operations', () => {
  const views = [
    view({ name: 'dora', stuck: true }),
    view({ name: 'carl', readyMs: OVERLOOKED_MS }),
    view({ name: 'baker', session: 'gone', goneMs: OVERLOOKED_MS }),
    view({ name: 'adam', session: 'gone', goneMs: OVERLOOKED_MS }),
  ];
  expect(decidePatrol(views)).toEqual([
    { kind: 'session_missing', workers: ['baker', 'adam'] },
    { kind: 'turn_over', workers: ['carl'] },
    { kind: 'stuck', workers: ['dora'] },
  ]);
  expect(decidePatrol([])).toEqual([]);
});
