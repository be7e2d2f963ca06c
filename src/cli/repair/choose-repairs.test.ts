import { expect, test } from 'vitest';
import type { Repair } from '../../recovery/records/repair-step.ts';
import { parseChoice } from './choose-repairs.ts';

const repair = (safe: boolean): Repair => ({ title: 't', does: 'd', safe, step: { kind: 'state' } });
const edit: Repair = { title: 't', does: 'd', safe: false, step: { kind: 'edit', path: '/root/state.json' } };
const REPAIRS = [repair(true), repair(false), repair(true), edit];

test.each<[string, readonly number[] | undefined]>([
  ['', []],
  ['none', []],
  ['all', [0, 1, 2]],
  [' SAFE ', [0, 2]],
  ['2', [1]],
  ['4', [3]],
  ['1, 3', [0, 2]],
  ['1 1', [0]],
  ['0', undefined],
  ['5', undefined],
  ['1-2', undefined],
  ['yes', undefined],
])('the choice %j', (typed, chosen) => {
  expect(parseChoice(typed, REPAIRS)?.chosen).toEqual(chosen && new Set(chosen));
});

test('only "safe" holds for the findings below', () => {
  expect(['safe', 'all', '1', ''].map((typed) => parseChoice(typed, REPAIRS)?.below)).toEqual([true, false, false, false]);
});
