import { expect, test } from 'vitest';
import { shareSlots } from './slots.ts';

const busy = (name: string) => ({ name, busy: true });
const idle = (name: string) => ({ name, busy: false });
const task = (worker: string) => ({ id: `task of ${worker}`, worker });

test.each([
  ['nobody lives', { living: [], comingUp: [], wants: ['a', 'b'] }, { waiting: [], toRest: [] }],
  ['one place is left for two', { living: [busy('x')], comingUp: [], wants: ['a', 'b'] }, { waiting: ['b'], toRest: [] }],
  ['an agent that comes up has its place', { living: [busy('x')], comingUp: ['y'], wants: ['a'] }, { waiting: ['a'], toRest: [] }],
  [
    'an agent that lives needs no second place',
    { living: [busy('x'), busy('a')], comingUp: [], wants: ['a'] },
    { waiting: [], toRest: [] },
  ],
  [
    'an agent with nothing to do makes room',
    { living: [idle('x'), busy('y')], comingUp: [], wants: ['a'] },
    { waiting: ['a'], toRest: ['x'] },
  ],
  ['as many make room as wait', { living: [idle('x'), idle('y')], comingUp: [], wants: ['a'] }, { waiting: ['a'], toRest: ['x'] }],
  [
    'one that gets something to do stays',
    { living: [idle('x'), busy('y')], comingUp: [], wants: ['a', 'x'] },
    { waiting: ['a'], toRest: [] },
  ],
  ['the order of the queue decides', { living: [], comingUp: [], wants: ['a', 'b', 'c'] }, { waiting: ['c'], toRest: [] }],
])('%s', (_, { living, comingUp, wants }, { waiting, toRest }) => {
  const shared = shareSlots({ maxAgents: 2, living, comingUp, candidates: wants.map(task) });
  expect(shared).toEqual({ waiting: waiting.map((name) => task(name).id), toRest });
});
