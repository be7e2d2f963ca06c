import { expect, test } from 'vitest';
import { timeBox } from './time-box.ts';

test('gives what the work gives', () => {
  expect(timeBox(1_000, () => 'done')).toBe('done');
});

test('a regular expression that would run for years is stopped, and the next work is done as ever', () => {
  const began = performance.now();
  expect(timeBox(50, () => /^(a+)+$/u.test(`${'a'.repeat(80)}!`))).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(timeBox(1_000, () => /^a+$/u.test('aaa'))).toBe(true);
});

test('what the work throws comes out', () => {
  expect(() => timeBox(1_000, () => JSON.parse('{'))).toThrow(SyntaxError);
});
