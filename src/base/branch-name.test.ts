import { describe, expect, test } from 'vitest';
import { branchAfter, branchNameProblem, branchPatternProblem, isFixedBranch } from './branch-name.ts';

test.each([
  'feature',
  'feature/x',
  'adam/fix-the-typo',
  'größe',
  '日本',
  'a.b',
  'a@b',
  'x{y}',
  'release-1.2',
  'main2',
  'llmcish',
  'a/llmc/b',
])('%s is a name', (name) => {
  expect(branchNameProblem(name)).toBe(undefined);
});

test.each([
  ['', 'empty'],
  ['-x', 'option'],
  ['--delete', 'option'],
  ['refs/heads/x', 'short name'],
  ['Refs/x', 'short name'],
  ['HEAD', 'something else'],
  ['head', 'something else'],
  ['@', 'something else'],
  ['f'.repeat(40), 'commit'],
  ['llmc/adam', 'llmc itself'],
  ['LLMC/adam', 'llmc itself'],
  ['llmc', 'llmc itself'],
  ['llmc-rescued/adam/1', 'llmc itself'],
  ['a'.repeat(201), '200 bytes'],
  ['a\u202eb', 'cannot be seen'],
  ['a\u200bb', 'cannot be seen'],
  ['a\x1b[2Jb', 'cannot be seen'],
  ['a\nb', 'cannot be seen'],
  ...[
    'a b',
    'a..b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    '/a',
    'a/',
    'a//b',
    'a.',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a@{b',
  ].map((name): [string, string] => [name, 'check-ref-format']),
])('%j is refused: %s', (name, why) => {
  expect(branchNameProblem(name)).toContain(why);
});

describe('a pattern', () => {
  test.each([
    ['{worker}/{task}', 'Fix the typo in README.md!', 'adam/fix-the-typo-in-readme-md'],
    ['{worker}/{task}', '', 'adam/work'],
    ['{worker}/{task}', '../../.. -- \u202e\n$(rm -rf ~)', 'adam/rm-rf'],
    ['{worker}/{task}', 'Größe ändern', 'adam/größe-ändern'],
    ['{worker}/{task}', 'x'.repeat(500), `adam/${'x'.repeat(40)}`],
    ['{worker}/{task}', 'one two three four five six seven eight nine ten', 'adam/one-two-three-four-five-six-seven-eight'],
    ['agents/{worker}', 'Fix it', 'agents/adam'],
    ['integration', 'Fix it', 'integration'],
  ])('%s with %j is %s', (pattern, task, name) => {
    expect(branchAfter(pattern, { worker: 'adam', task })).toBe(name);
    expect(branchNameProblem(name)).toBe(undefined);
  });

  test.each([
    ['{worker}/{task}', undefined],
    ['integration', undefined],
    ['{date}/{task}', 'only {worker} and {task}'],
    ['llmc/{task}', 'llmc itself'],
    ['{worker}/', 'check-ref-format'],
  ])('%s: %s', (pattern, problem) => {
    if (problem === undefined) expect(branchPatternProblem(pattern)).toBe(undefined);
    else expect(branchPatternProblem(pattern)).toContain(problem);
  });

  test('is fixed if it has nothing to replace', () => {
    expect(['integration', '{worker}', 'x/{task}'].map(isFixedBranch)).toEqual([true, false, false]);
  });
});
