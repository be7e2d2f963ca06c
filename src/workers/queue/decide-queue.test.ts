import { expect, test } from 'vitest';
import type { QueuedTask, QueueState } from '../../store/tables/queue.ts';
import { decideQueue, type Queue, type Taker } from './decide-queue.ts';

const task = (number: number, wish: Partial<QueuedTask> = {}): QueuedTask => ({
  number,
  place: number,
  priority: 0,
  prompt: `task ${number}`,
  expects: 'commit',
  worker: null,
  agent: null,
  after: [],
  model: null,
  state: 'waiting',
  given_to: null,
  delivery: null,
  problem: null,
  created_ms: 0,
  given_ms: null,
  ended_ms: null,
  ...wish,
});
const worker = (name: string, how: Partial<Taker> = {}): Taker => ({
  name,
  inPool: true,
  isIdle: true,
  agent: 'claude',
  model: 'opus',
  ownMayWork: true,
  anyMayWork: true,
  isReady: true,
  ...how,
});
const decided = (tasks: readonly QueuedTask[], takers: readonly Taker[], more: Partial<Queue> = {}) => {
  const { gives, waits } = decideQueue({ tasks, takers, states: new Map(), budget: undefined, mayTry: () => true, ...more });
  return { gives: gives.map(({ task: { number }, worker: name }) => [number, name]), waits: Object.fromEntries(waits) };
};

test('the first tasks get the workers that are idle, the next one waits', () => {
  const { gives, waits } = decided([task(1), task(2), task(3)], [worker('adam'), worker('busy', { isIdle: false }), worker('eve')]);
  expect(gives).toEqual([
    [1, 'adam'],
    [2, 'eve'],
  ]);
  expect(waits).toEqual({ 3: { kind: 'pool' } });
});

test('a task for a busy worker keeps no other task waiting, and no earlier task loses its worker to it', () => {
  const workers = [worker('adam', { isIdle: false }), worker('eve')];
  expect(decided([task(1, { worker: 'adam' }), task(2)], workers)).toEqual({
    gives: [[2, 'eve']],
    waits: { 1: { kind: 'worker', worker: 'adam' } },
  });
  expect(decided([task(1), task(2, { worker: 'eve' })], workers)).toEqual({
    gives: [[1, 'eve']],
    waits: { 2: { kind: 'worker', worker: 'eve' } },
  });
});

test.each<[string, Partial<QueuedTask>, Partial<Taker>, object]>([
  ['a worker outside of the pool', {}, { inPool: false }, { kind: 'pool' }],
  ['an agent that no worker has', { agent: 'codex' }, {}, { kind: 'no_agent', agent: 'codex' }],
  ['a worker that was removed', { worker: 'zoe' }, {}, { kind: 'no_worker', worker: 'zoe' }],
  [
    'another agent of the worker that it names',
    { worker: 'adam', agent: 'codex' },
    {},
    { kind: 'other_agent', worker: 'adam', agent: 'codex' },
  ],
  ['a removed worker with an agent', { worker: 'zoe', agent: 'codex' }, {}, { kind: 'no_worker', worker: 'zoe' }],
  ['a usage limit of every agent', {}, { anyMayWork: false, ownMayWork: false, limit: 'x' }, { kind: 'limit', limits: ['x'] }],
  ['a usage limit of the agent that it names', { agent: 'claude' }, { ownMayWork: false }, { kind: 'limit', limits: [] }],
  ['a usage limit of the worker that it names', { worker: 'adam' }, { ownMayWork: false }, { kind: 'limit', limits: [] }],
])('waits because of %s', (_, wish, how, waits) => {
  expect(decided([task(1, wish)], [worker('adam', how)])).toEqual({ gives: [], waits: { 1: waits } });
});

test('a stand-in does what names nobody; a worker that needs no restart comes first', () => {
  const changed = worker('adam', { ownMayWork: false, isReady: false });
  expect(decided([task(1)], [changed]).gives).toEqual([[1, 'adam']]);
  expect(decided([task(1)], [changed, worker('eve')]).gives).toEqual([[1, 'eve']]);
});

test('a worker outside of the pool does what names it', () => {
  expect(decided([task(1, { worker: 'adam' })], [worker('adam', { inPool: false })]).gives).toEqual([[1, 'adam']]);
});

test.each<[QueueState | undefined, object | undefined]>([
  ['waiting', { kind: 'after', tasks: [1] }],
  ['given', { kind: 'after', tasks: [1] }],
  ['done', undefined],
  ['dropped', { kind: 'lost', tasks: [1] }],
  ['canceled', { kind: 'lost', tasks: [1] }],
  [undefined, { kind: 'lost', tasks: [1] }],
])('a task after one that is %s', (state, waits) => {
  const states = new Map(state === undefined ? [] : [[1, state] as const]);
  const { gives, waits: all } = decided([task(2, { after: [1] })], [worker('adam')], { states });
  expect(all[2]).toEqual(waits);
  expect(gives).toEqual(waits === undefined ? [[2, 'adam']] : []);
});

test('a task that was held after a restore waits for a person', () => {
  expect(decided([task(2, { after: [1, 2] })], [worker('adam')]).waits).toEqual({ 2: { kind: 'restored' } });
});

test('a budget that is used up gives nothing', () => {
  expect(decided([task(1)], [worker('adam')], { budget: 'spent' })).toEqual({ gives: [], waits: { 1: { kind: 'budget', why: 'spent' } } });
});

test('a worker that could not be given a task a moment ago is left out for it, and does the next one', () => {
  const { gives } = decided([task(1), task(2)], [worker('adam')], { mayTry: (number) => number !== 1 });
  expect(gives).toEqual([[2, 'adam']]);
});

test('a task for a model waits for a worker that has it, and wants no stand-in', () => {
  const parked = worker('eve', { model: 'sonnet', ownMayWork: false, limit: 'claude until 14:00' });
  const wishes = [task(1, { model: 'sonnet' }), task(2, { model: 'haiku' }), task(3, { worker: 'adam', model: 'haiku' })];
  expect(decided(wishes, [worker('adam'), parked])).toEqual({
    gives: [],
    waits: {
      1: { kind: 'limit', limits: ['claude until 14:00'] },
      2: { kind: 'no_model', model: 'haiku' },
      3: { kind: 'other_model', worker: 'adam', model: 'haiku' },
    },
  });
  expect(decided([task(1, { agent: 'claude', model: 'sonnet' })], [worker('adam'), worker('eve', { model: 'sonnet' })]).gives).toEqual([
    [1, 'eve'],
  ]);
});
