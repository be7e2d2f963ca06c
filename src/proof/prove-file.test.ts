import { describe, expect, test } from 'vitest';
import { type FileProof, proveFile } from './prove-file.ts';

interface Row {
  readonly name: string;
  readonly base: string;
  readonly main: string;
  readonly worker: string;
  readonly result: string;
  readonly dropped?: readonly string[];
  readonly resurrected?: readonly string[];
  readonly replaced?: readonly string[];
  readonly reindented?: number;
}

const lines = (text: string): readonly string[] => (text === '' ? [] : text.split('|'));

/** `side:line text`, and for a replaced line what stands for it. */
function summary({ dropped, resurrected, replaced, reindented }: FileProof) {
  return {
    dropped: dropped.map(({ side, line, text }) => `${side}:${line} ${text}`),
    resurrected: resurrected.map(({ side, line, text }) => `${side}:${line} ${text}`),
    replaced: replaced.map(({ side, line, text, how, by }) => `${side}:${line} ${text} ${how} ${by ?? ''}`.trim()),
    reindented,
  };
}

const table = (rows: readonly Row[]) =>
  test.each(rows)('$name', ({ base, main, worker, result, dropped = [], resurrected = [], replaced = [], reindented = 0 }) => {
    const proof = proveFile({ base: lines(base), main: lines(main), worker: lines(worker), result: lines(result) });
    expect(summary(proof)).toEqual({ dropped, resurrected, replaced, reindented });
  });

describe('additions', () => {
  table([
    { name: 'both are there', base: 'a|z', main: 'a|m|z', worker: 'a|w|z', result: 'a|w|m|z' },
    { name: 'the one of main is not', base: 'a|z', main: 'a|m|z', worker: 'a|w|z', result: 'a|w|z', dropped: ['main:2 m'] },
    { name: 'the one of the worker is not', base: 'a|z', main: 'a|m|z', worker: 'a|w|z', result: 'a|m|z', dropped: ['worker:2 w'] },
    { name: 'the same on both sides counts once', base: 'a', main: 'a|same', worker: 'a|same', result: 'a|same' },
    { name: 'the same on both sides may be there twice', base: 'a', main: 'a|same', worker: 'a|same', result: 'a|same|same' },
    { name: 'the same on both sides is not there', base: 'a', main: 'a|same', worker: 'a|same', result: 'a', dropped: ['both:2 same'] },
    { name: 'of two equal ones, one is not there', base: 'a', main: 'a|m|m', worker: 'a|w', result: 'a|m|w', dropped: ['main:3 m'] },
    { name: 'blank lines do not count', base: 'a', main: 'a||m|', worker: 'a||w', result: 'a|m|w' },
    {
      name: 'a line that both kept is not there',
      base: 'a|b|c',
      main: 'a|b|c|m',
      worker: 'a|b|c|w',
      result: 'a|c|m|w',
      dropped: ['both:2 b'],
    },
    { name: 'both sides add a file', base: '', main: 'x|m', worker: 'x|w', result: 'x|m', dropped: ['worker:2 w'] },
    {
      name: 'items of a list get a comma',
      base: '"a": 1',
      main: '"a": 1,|"b": 2',
      worker: '"a": 1,|"c": 3',
      result: '"a": 1,|"b": 2,|"c": 3',
      replaced: ['main:2 "b": 2 respaced "b": 2,'],
    },
  ]);
});

describe('deletions', () => {
  table([
    { name: 'obeyed', base: 'a|b|c', main: 'a|c', worker: 'a|b|c|w', result: 'a|c|w' },
    { name: 'undone', base: 'a|b|c', main: 'a|c', worker: 'a|b|c|w', result: 'a|b|c|w', resurrected: ['main:2 b'] },
    { name: 'of both sides, undone', base: 'a|b|c', main: 'a|c', worker: 'a|c|w', result: 'a|b|c|w', resurrected: ['both:2 b'] },
    { name: 'of one of two equal lines', base: 'a|a|b', main: 'a|b', worker: 'a|a|b|w', result: 'a|a|b|w', resurrected: ['main:2 a'] },
    { name: 'while the other side moves the line', base: 'a|b|c|d', main: 'a|c|d', worker: 'a|c|d|b', result: 'a|c|d|b' },
    {
      name: 'while the other side changes the line, obeyed',
      base: 'a|f(1, 2)|c',
      main: 'a|c',
      worker: 'a|f(1, 2, 3)|c',
      result: 'a|c',
      replaced: ['worker:2 f(1, 2, 3) deleted'],
    },
    {
      name: 'while the other side changes the line, overruled',
      base: 'a|f(1, 2)|c',
      main: 'a|c',
      worker: 'a|f(1, 2, 3)|c',
      result: 'a|f(1, 2, 3)|c',
    },
    {
      name: 'while the other side changes the line, both undone',
      base: 'a|f(1, 2)|c',
      main: 'a|c',
      worker: 'a|f(1, 2, 3)|c',
      result: 'a|f(1, 2)|c',
      dropped: ['worker:2 f(1, 2, 3)'],
      resurrected: ['both:2 f(1, 2)'],
    },
  ]);
});

describe('both sides change one line', () => {
  const added = { base: 'f(a)', main: 'f(a, b)', worker: 'f(a, c)' };
  const exclusive = { base: 'timeout = 10', main: 'timeout = 20', worker: 'timeout = 30' };
  table([
    {
      name: 'both changes are in the result',
      ...added,
      result: 'f(a, b, c)',
      replaced: ['main:1 f(a, b) merged f(a, b, c)', 'worker:1 f(a, c) merged f(a, b, c)'],
    },
    { name: 'the result has only one of two that fit together', ...added, result: 'f(a, c)', dropped: ['main:1 f(a, b)'] },
    {
      name: 'the result has one of two that exclude each other',
      ...exclusive,
      result: 'timeout = 30',
      replaced: ['main:1 timeout = 20 chosen timeout = 30'],
    },
    {
      name: 'the result has a third of two that exclude each other',
      ...exclusive,
      result: 'timeout = 25',
      replaced: ['main:1 timeout = 20 reworded timeout = 25', 'worker:1 timeout = 30 reworded timeout = 25'],
    },
    {
      name: 'the result has the old line',
      ...exclusive,
      result: 'timeout = 10',
      dropped: ['main:1 timeout = 20', 'worker:1 timeout = 30'],
      resurrected: ['both:1 timeout = 10'],
    },
    {
      name: 'a rename and a new argument, merged',
      base: 'f(a)',
      main: 'g(a)',
      worker: 'f(a, c)',
      result: 'g(a, c)',
      replaced: ['main:1 g(a) merged g(a, c)', 'worker:1 f(a, c) merged g(a, c)'],
    },
    {
      name: 'a rename and a new argument, the rename lost',
      base: 'f(a)',
      main: 'g(a)',
      worker: 'f(a, c)',
      result: 'f(a, c)',
      dropped: ['main:1 g(a)'],
    },
    {
      name: 'a removed argument and a new one, merged',
      base: 'f(a, b)',
      main: 'f(a)',
      worker: 'f(a, b, c)',
      result: 'f(a, c)',
      replaced: ['main:1 f(a) merged f(a, c)', 'worker:1 f(a, b, c) merged f(a, c)'],
    },
    {
      name: 'a removed argument and a new one, the removal lost',
      base: 'f(a, b)',
      main: 'f(a)',
      worker: 'f(a, b, c)',
      result: 'f(a, b, c)',
      dropped: ['main:1 f(a)'],
    },
    {
      name: 'the number of a version',
      base: '1.2.0',
      main: '1.2.1',
      worker: '1.3.0',
      result: '1.3.1',
      replaced: ['main:1 1.2.1 reworded 1.3.1', 'worker:1 1.3.0 reworded 1.3.1'],
    },
    {
      name: 'two imports become one',
      base: 'z',
      main: "import {a, b} from 'x'|z",
      worker: "import {a, c} from 'x'|z",
      result: "import {a, b, c} from 'x'|z",
      replaced: [
        "main:1 import {a, b} from 'x' merged import {a, b, c} from 'x'",
        "worker:1 import {a, c} from 'x' merged import {a, b, c} from 'x'",
      ],
    },
    {
      name: 'main adds a line besides, which is lost',
      base: 'timeout = 10',
      main: 'timeout = 20|retries = 3',
      worker: 'timeout = 30',
      result: 'timeout = 30',
      dropped: ['main:2 retries = 3'],
      replaced: ['main:1 timeout = 20 chosen timeout = 30'],
    },
  ]);
});

describe('form', () => {
  table([
    {
      name: 'lines are indented in the result',
      base: 'a',
      main: 'a|m one',
      worker: 'a|if (x) {|}',
      result: 'a|if (x) {|  m one|}',
      reindented: 1,
    },
    { name: 'CRLF is not a loss', base: 'a', main: 'a|m', worker: 'a|w', result: 'a\r|m\r|w\r' },
    {
      name: 'a new indentation of main is lost',
      base: 'x one|y',
      main: '  x one|y',
      worker: 'x one|y|w',
      result: 'x one|y|w',
      dropped: ['main:1   x one'],
      resurrected: ['main:1 x one'],
    },
    {
      name: 'a new indentation of main and a changed word',
      base: 'x one two',
      main: '  x one two',
      worker: 'x one three',
      result: '  x one three',
      replaced: ['main:1   x one two merged   x one three'],
      reindented: 1,
    },
    {
      name: 'a called function has another name on main',
      base: 'a',
      main: 'a|bar()',
      worker: 'a|x = foo(1, 2)',
      result: 'a|bar()|x = bar(1, 2)',
      replaced: ['worker:2 x = foo(1, 2) reworded x = bar(1, 2)'],
    },
    {
      name: 'a bracket, where the result has lines of its own',
      base: 'a',
      main: 'a|if (m) {|}',
      worker: 'a|if (w) {|});',
      result: 'a|if (m or w) {|}',
      replaced: ['main:2 if (m) { merged if (m or w) {', 'worker:2 if (w) { merged if (m or w) {', 'worker:3 }); restructured'],
    },
    { name: 'a bracket, where it has none', base: 'a', main: 'a|m {|}', worker: 'a|w', result: 'a|m {|w', dropped: ['main:3 }'] },
  ]);
});

test('lines that are at another place of the file are counted as moved', () => {
  const base = ['a', 'b', 'c', 'd'];
  const proof = proveFile({ base, main: ['m one', ...base], worker: [...base, 'w'], result: ['a', 'b', 'c', 'm one', 'd', 'w'] });
  expect(proof).toMatchObject({ dropped: [], movedInside: 1 });
});

test('new line endings are said', () => {
  const of = (result: readonly string[]) => proveFile({ base: ['a'], main: ['a', 'm'], worker: ['a', 'w'], result }).lineEndings;
  expect([of(['a', 'm', 'w']), of(['a\r', 'm\r', 'w\r']), of(['a\r', 'm', 'w'])]).toEqual([null, 'crlf', 'mixed']);
});

test('thirty thousand lines that all differ take seconds, not hours', () => {
  const many = (name: string) => Array.from({ length: 30_000 }, (_, at) => `${name} ${at} of ${at % 7}`);
  const proof = proveFile({ base: many('base'), main: many('main'), worker: many('worker'), result: many('result') });
  expect(proof.dropped.length + proof.replaced.length).toBe(60_000);
});
