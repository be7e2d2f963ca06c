import { expect, test } from 'vitest';
import type { Task } from '../model/action.ts';
import { freePlaces, withoutPlace } from './places.ts';

const due = (kind: 'dismiss' | 'rest' | 'check', id: string) => {
  const task: Task = kind === 'check' ? { kind, lines: [], base: null } : { kind, seat: 'developer' };
  return { run: 'swarm-1', action: { id, step: 'develop', task }, since: 0 };
};
const performing = (kind: 'dismiss' | 'rest' | 'check', id: string, since = 0) => ({
  claim: { ...due(kind, id), attempt: 1, host: 'supervisor', takenOver: false },
  since,
});

test('the removal of the workers of an ended run leaves the places of running runs alone', () => {
  const open = ['1', '2', '3', '4'].map((id) => due('dismiss', id));
  expect(withoutPlace([...open, due('rest', '5')], []).map(({ action }) => action.id)).toEqual(['3', '4']);
  expect(withoutPlace(open.slice(2), [performing('dismiss', '1'), performing('dismiss', '2')])).toHaveLength(2);
  expect(freePlaces([performing('dismiss', '1'), performing('check', '2')], 1_000)).toBe(8);
});

test('a task that lasts longer than a lease gives its place back', () => {
  expect(freePlaces([performing('rest', '1'), performing('rest', '2', 60_000)], 60_001)).toBe(7);
});
