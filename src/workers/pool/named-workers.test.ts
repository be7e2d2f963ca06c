import { expect, test } from 'vitest';
import { NamedWorkers } from './named-workers.ts';

test('a worker is named as long as a start that names it is on its way', () => {
  const named = new NamedWorkers();
  const first = named.name('adam');
  const second = named.name('adam');
  first[Symbol.dispose]();
  expect([named.isNamed('adam'), named.isNamed('eve')]).toEqual([true, false]);
  second[Symbol.dispose]();
  expect(named.isNamed('adam')).toBe(false);
});
