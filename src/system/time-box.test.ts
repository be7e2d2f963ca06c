import { expect, test } from 'vitest';
import { timeBox } from './time-box.ts';

test('gives what the work gives', () => {
  expect(timeBox(30_000, () => 'done')).toBe('done');
});

test('a regular expression that would run for years is stopped, and the next work is done as ever', () => {
  // Not stopped, it would run into the time limit of this test.
  expect(timeBox(50, () => /^(a+)+$/u.test(`${'a'.repeat(80)}!`))).toBeUndefined();
  expect(timeBox(30_000, () => /^a+$/u.test('aaa'))).toBe(true);
});

test('what the work throws comes out', () => {
  expect(() => timeBox(30_000, () => JSON.parse('{'))).toThrow(SyntaxError);
});
