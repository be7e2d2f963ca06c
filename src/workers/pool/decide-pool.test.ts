import { describe, expect, test } from 'vitest';
import type { QueuedTask } from '../../store/tables/queue.ts';
import { decidePool, type Fresh, forPool, type PoolView, type PoolWorker } from './decide-pool.ts';

const task = (number: number, wish: Partial<QueuedTask> = {}): QueuedTask => ({
  number,
  place: number,
  priority: 0,
  prompt: `task ${number}`,
  expects: 'commit',
  worker: null,
  agent: null,
  model: null,
  after: [],
  state: 'waiting',
  given_to: null,
  delivery: null,
  problem: null,
  created_ms: 0,
  given_ms: null,
  ended_ms: null,
  ...wish,
});
const worker = (name: string, standing: PoolWorker['standing'], how: Partial<PoolWorker> = {}): PoolWorker => ({
  name,
  agent: 'claude',
  model: 'opus',
  isMade: true,
  standing,
  idleMs: 0,
  ...how,
});
const fresh = ({ agent, model }: QueuedTask): Fresh => ({ kind: 'worker', agent: agent ?? 'claude', model });
const view = (workers: readonly PoolWorker[], more: Partial<PoolView> = {}): PoolView => ({
  max: 2,
  keepMs: 60_000,
  workers,
  making: new Map(),
  freshFor: fresh,
  ...more,
});
const decided = (pool: PoolView, ...tasks: readonly QueuedTask[]) => {
  const { makes, removes, waits, againMs } = decidePool(pool, tasks);
  return {
    makes: makes.map(({ task: { number }, agent, model }) => [number, agent, model]),
    removes: removes.map(({ worker: name }) => name),
    waits: Object.fromEntries(waits),
    againMs,
  };
};

describe('a worker is made', () => {
  test.each<[string, PoolView, readonly QueuedTask[], readonly unknown[], object]>([
    ['for a task, as it asks', view([]), [task(1, { agent: 'codex', model: 'gpt' })], [[1, 'codex', 'gpt']], {}],
    [
      'for each task, up to the limit',
      view([]),
      [task(1), task(2), task(3)],
      [
        [1, 'claude', null],
        [2, 'claude', null],
      ],
      { 3: { kind: 'full', working: 0, called: 0, max: 2 } },
    ],
    ['never without a pool', view([], { max: 0 }), [task(1)], [], {}],
    [
      'beside workers of a person, which do not count',
      view([worker('adam', 'busy', { isMade: false }), worker('eve', 'busy', { isMade: false })]),
      [task(1)],
      [[1, 'claude', null]],
      {},
    ],
    [
      'not for a task whose worker is being made',
      view([], { making: new Map([[1, 'bea']]) }),
      [task(1), task(2)],
      [[2, 'claude', null]],
      { 1: { kind: 'making', worker: 'bea' } },
    ],
    [
      'not while one that can take the task starts',
      view([worker('bea', 'coming')]),
      [task(1), task(2)],
      [[2, 'claude', null]],
      { 1: { kind: 'coming', worker: 'bea' } },
    ],
    [
      'not while one of a person starts',
      view([worker('adam', 'coming', { isMade: false })]),
      [task(1)],
      [],
      { 1: { kind: 'coming', worker: 'adam' } },
    ],
    ['although one with another agent starts', view([worker('bea', 'coming')]), [task(1, { agent: 'codex' })], [[1, 'codex', null]], {}],
    [
      'not while the account waits for its limit',
      view([], { freshFor: () => ({ kind: 'limit', limit: 'claude until 14:00' }) }),
      [task(1)],
      [],
      { 1: { kind: 'limit', limits: ['claude until 14:00'] } },
    ],
    [
      'not after one with the same agent could not start',
      view([worker('bea', 'failed')]),
      [task(1), task(2, { agent: 'codex' })],
      [[2, 'codex', null]],
      { 1: { kind: 'no_start', worker: 'bea' } },
    ],
    [
      'not over the limit, also when it was lowered',
      view([worker('bea', 'busy'), worker('carl', 'called')], { max: 1 }),
      [task(1)],
      [],
      { 1: { kind: 'full', working: 1, called: 1, max: 1 } },
    ],
  ])('%s', (_, pool, tasks, makes, waits) => {
    expect(decided(pool, ...tasks)).toMatchObject({ makes, waits, removes: [] });
  });
});

describe('a worker is removed', () => {
  const old = { idleMs: 60_000 };
  test.each<[string, PoolView, readonly QueuedTask[], readonly string[]]>([
    ['when it was idle for long', view([worker('bea', 'idle', old), worker('carl', 'idle')]), [], ['bea']],
    ['never if a person added it', view([worker('adam', 'idle', { ...old, isMade: false })]), [], []],
    [
      'never before its work has landed',
      view([worker('bea', 'busy', old), worker('carl', 'called', old), worker('dora', 'failed', old)]),
      [],
      [],
    ],
    ['not while a task waits that it can take', view([worker('bea', 'idle', old)]), [task(1)], []],
    [
      'at once for a task that it cannot take and that has no place',
      view([worker('bea', 'idle'), worker('carl', 'busy')]),
      [task(1, { agent: 'codex' })],
      ['bea'],
    ],
    ['not at once for a task that has a place', view([worker('bea', 'idle')]), [task(1, { agent: 'codex' })], []],
    [
      'at once when there are more than the lowered limit, those that were idle for longest first',
      view([worker('bea', 'busy'), worker('carl', 'idle', { idleMs: 5 }), worker('dora', 'idle', { idleMs: 9 })]),
      [],
      ['dora'],
    ],
    ['at once when the pool is off', view([worker('bea', 'idle')], { max: 0 }), [task(1)], ['bea']],
  ])('%s', (_, pool, tasks, removes) => {
    expect(decided(pool, ...tasks).removes).toEqual(removes);
  });

  test('and it is said when to look again', () => {
    expect(decided(view([worker('bea', 'idle', { idleMs: 20_000 }), worker('carl', 'idle', { idleMs: 50_000 })])).againMs).toBe(10_000);
    expect(decided(view([worker('bea', 'busy')])).againMs).toBeUndefined();
  });
});

test('only tasks for any worker are ones for the pool', () => {
  const tasks = [task(1), task(2, { worker: 'adam' }), task(3), task(4), task(5)];
  const waits = new Map([
    [1, { kind: 'pool' }],
    [2, { kind: 'no_worker', worker: 'adam' }],
    [3, { kind: 'budget', why: 'spent' }],
    [4, { kind: 'no_model', model: 'x' }],
  ] as const);
  expect(forPool(tasks, waits).map(({ number }) => number)).toEqual([1, 4]);
});
