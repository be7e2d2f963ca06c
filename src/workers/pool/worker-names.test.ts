import { expect, test } from 'vitest';
import { parseWorkerName } from '../../config/worker-name.ts';
import { nextName } from './worker-names.ts';

test('names are short, each another one, and names of workers; the first ones are those of people', () => {
  const taken = new Set<string>();
  for (let count = 0; count < 2_000; count += 1) {
    const name = nextName(taken);
    expect(taken).not.toContain(parseWorkerName(name));
    taken.add(name);
  }
  expect([...taken].slice(0, 3)).toEqual(['bea', 'carl', 'dora']);
  expect(Math.max(...[...taken].map((name) => name.length))).toBeLessThanOrEqual(6);
});
