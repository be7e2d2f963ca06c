import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluate, type Truth, undecided } from './condition.ts';
import type { AllOf, Condition } from './plan.ts';

const VALUES = {
  inputs: { tier: 'simple', high_stakes: true, angles: ['a', 'b'] },
  '7': { synthesis: { addition_percentage: 25, note: 'many' }, '5': { verdict: 'a field of an artifact' } },
  '7.5': { verdict: 'approved' },
};

test.each<[string, Condition, Truth]>([
  ['no test', {}, true],
  ['is, equal', { 'inputs.tier': { is: 'simple' } }, true],
  ['is, another', { 'inputs.tier': { is: 'complex' } }, false],
  ['is, of another type', { 'inputs.high_stakes': { is: 'true' } }, false],
  ['in', { 'inputs.tier': { in: ['simple', 'standard'] } }, true],
  ['in, none of them', { 'inputs.tier': { in: ['complex'] } }, false],
  ['min, above', { '7.synthesis.addition_percentage': { min: 20 } }, true],
  ['min, equal', { '7.synthesis.addition_percentage': { min: 25 } }, true],
  ['min, below', { '7.synthesis.addition_percentage': { min: 26 } }, false],
  ['max', { '7.synthesis.addition_percentage': { min: 20, max: 24 } }, false],
  ['a list counts by its length', { 'inputs.angles': { min: 2, max: 2 } }, true],
  ['the longest id of a stage comes first', { '7.5.verdict': { is: 'approved' } }, true],
  ['a path without a value', { '8.review.count': { min: 1 } }, 'unknown'],
  ['a size of a text', { '7.synthesis.note': { min: 1 } }, 'unknown'],
  ['equality of a list', { 'inputs.angles': { is: 'a' } }, 'unknown'],
  ['a field of a prototype', { '7.synthesis.constructor.name': { is: 'Object' } }, 'unknown'],
  ['one unknown, one true', { 'inputs.tier': { is: 'simple' }, '8.x': { is: 1 } }, 'unknown'],
  ['one unknown, one false', { 'inputs.tier': { is: 'complex' }, '8.x': { is: 1 } }, false],
  ['a list, the second holds', [{ 'inputs.tier': { is: 'complex' } }, { 'inputs.high_stakes': { is: true } }], true],
  ['a list, none holds', [{ 'inputs.tier': { is: 'complex' } }, { 'inputs.high_stakes': { is: false } }], false],
  ['a list, one unknown, one true', [{ '8.x': { is: 1 } }, { 'inputs.high_stakes': { is: true } }], true],
  ['a list, one unknown, one false', [{ '8.x': { is: 1 } }, { 'inputs.tier': { is: 'complex' } }], 'unknown'],
])('%s', (_, condition, expected) => {
  expect(evaluate(condition, VALUES)).toBe(expected);
});

test('names the paths that decide nothing, each once', () => {
  const missing: AllOf = { '8.x': { is: 1 }, 'inputs.tier': { is: 'simple' } };
  expect(undecided([missing, { ...missing, '7.synthesis.note': { min: 1 } }], VALUES)).toEqual(['8.x', '7.synthesis.note']);
});

test('any values have a truth', () => {
  const test = fc.record({ is: fc.string(), in: fc.array(fc.integer()), min: fc.double(), max: fc.double() }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), test)), fc.dictionary(fc.string(), fc.anything()), (conditions, values) => {
      for (const condition of [conditions, ...conditions]) expect([true, false, 'unknown']).toContain(evaluate(condition, values));
    }),
  );
});
