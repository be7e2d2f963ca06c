import { expect, test } from 'vitest';
import { StartQueue } from './start-queue.ts';

const anyone = () => true;
const only = (name: string) => (worker: string) => worker === name;

test('the first request may take the free worker, and the next one once the first has left', () => {
  const line = new StartQueue();
  const first = line.join(anyone);
  const second = line.join(anyone);
  expect([first.mayTake('adam'), second.mayTake('adam')]).toEqual([true, false]);
  first[Symbol.dispose]();
  expect(second.mayTake('adam')).toBe(true);
});

test('one who waits for a certain worker keeps nobody from the others', () => {
  const line = new StartQueue();
  const patient = line.join(only('adam'));
  const second = line.join(anyone);
  expect([patient.mayTake('adam'), patient.mayTake('eve')]).toEqual([true, false]);
  expect([second.mayTake('adam'), second.mayTake('eve')]).toEqual([false, true]);
});

test('one in the middle may give up', () => {
  const line = new StartQueue();
  const first = line.join(anyone);
  const second = line.join(anyone);
  const third = line.join(anyone);
  second[Symbol.dispose]();
  expect(third.mayTake('adam')).toBe(false);
  first[Symbol.dispose]();
  expect(third.mayTake('adam')).toBe(true);
});

test('a worker is named as long as a start that names it is on its way', () => {
  const queue = new StartQueue();
  const first = queue.name('adam');
  const second = queue.name('adam');
  first[Symbol.dispose]();
  expect([queue.isNamed('adam'), queue.isNamed('eve')]).toEqual([true, false]);
  second[Symbol.dispose]();
  expect(queue.isNamed('adam')).toBe(false);
});
