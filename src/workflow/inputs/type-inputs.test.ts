import { describe, expect, test } from 'vitest';
import type { Plan, WorkflowInput } from '../definition/plan.ts';
import { givenInput, typeInputs } from './type-inputs.ts';

const input = (type: WorkflowInput['type'], changes: Partial<WorkflowInput> = {}): WorkflowInput => ({
  type,
  oneOf: [],
  optional: false,
  ...changes,
});

const INPUTS: Plan['inputs'] = {
  task: input('text'),
  epic: input('file', { optional: true }),
  thorough: input('flag'),
  fast: input('flag', { optional: true }),
  angles: input('list', { optional: true }),
  tier: input('one_of', { oneOf: ['simple', 'standard', 'complex'], optional: true }),
};

const typed = (...words: readonly string[]) => typeInputs(INPUTS, words.map(givenInput));

describe('inputs', () => {
  test.each<[readonly string[], object]>([
    [['task=a clock'], { task: 'a clock', thorough: false }],
    [['task=a=b', 'thorough'], { task: 'a=b', thorough: true }],
    [['task=x', 'thorough=false', 'fast=true'], { task: 'x', thorough: false, fast: true }],
    [['task=x', 'angles=one, two', 'angles=three'], { task: 'x', thorough: false, angles: ['one, two', 'three'] }],
    [['task=x', 'tier=simple', 'epic=e.yaml'], { task: 'x', thorough: false, tier: 'simple', epic: 'e.yaml' }],
    [['task=line\nline'], { task: 'line\nline', thorough: false }],
  ])('%j', (words, values) => {
    expect(typed(...words)).toEqual({ values, problems: [] });
  });

  test.each<[readonly string[], readonly string[]]>([
    [[], ['the input "task" is missing']],
    [['task'], ['the input "task" has no value; expected task=…']],
    [['task='], ['the input "task" has no value; expected task=…']],
    [['task= \n '], ['the input "task" has no value; expected task=…']],
    [['task=a', 'task=b'], ['the input "task" is given 2 times']],
    [['task=a', 'thorough=yes'], ['the input "thorough" is true or false, not "yes"']],
    [['task=a', 'angles=x', 'angles='], ['the input "angles" has no value; expected angles=…']],
    [['task=a', 'tier=smiple'], ['the input "tier" cannot be "smiple"; did you mean "simple"?']],
    [['task=a', 'tier=gold'], ['the input "tier" cannot be "gold"; expected simple, standard, complex']],
    [['tsak=a'], ['there is no input "tsak"; did you mean "task"?', 'the input "task" is missing']],
    [['task=a', 'constructor=x'], ['there is no input "constructor"; expected task, epic, thorough, fast, angles, tier']],
    [['task=a', '=x'], ['there is no input ""; expected task, epic, thorough, fast, angles, tier']],
  ])('%j has a problem', (words, problems) => {
    expect(typed(...words).problems).toEqual(problems);
  });

  test('a workflow without inputs takes none', () => {
    expect(typeInputs({}, [givenInput('x=1')]).problems).toEqual(['there is no input "x"; the workflow has none']);
  });
});
