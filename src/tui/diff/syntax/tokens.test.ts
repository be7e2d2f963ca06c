import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedWords } from './changed-words.ts';
import { findLanguage, type Language } from './languages.ts';
import { type Open, splitTokens } from './tokens.ts';

function kinds(path: string, line: string, open?: Open) {
  let start = 0;
  const { tokens, open: after } = splitTokens(line, findLanguage(path) as Language, open);
  const parts = tokens.map(({ end, kind }) => {
    const text = line.slice(start, end);
    start = end;
    return [text, kind];
  });
  return { parts: parts.filter(([, kind]) => kind !== 'plain'), open: after?.end };
}

test.each([
  [
    'a.ts',
    'const a = "x // y"; // note',
    [
      ['const', 'keyword'],
      ['"x // y"', 'string'],
      ['// note', 'comment'],
    ],
    undefined,
  ],
  [
    'a.ts',
    'a /* b */ + 12.5',
    [
      ['/* b */', 'comment'],
      ['12.5', 'number'],
    ],
    undefined,
  ],
  ['a.ts', 'a /* b', [['/* b', 'comment']], '*/'],
  ['a.ts', 'x = `one', [['`one', 'string']], '`'],
  ['a.ts', ' * of a comment', [[' * of a comment', 'comment']], undefined],
  ['a.ts', "it's", [], undefined],
  ['a.py', '"""doc', [['"""doc', 'string']], '"""'],
  [
    'a.py',
    'if a: # why',
    [
      ['if', 'keyword'],
      ['# why', 'comment'],
    ],
    undefined,
  ],
  ['a.sh', 'echo $# "$a"', [['"$a"', 'string']], undefined],
  [
    'a.rs',
    "fn f<'a>(x: &'a str)",
    [
      ['fn', 'keyword'],
      ['str', 'keyword'],
    ],
    undefined,
  ],
  [
    'a.sql',
    'select 1 -- all',
    [
      ['select', 'keyword'],
      ['1', 'number'],
      ['-- all', 'comment'],
    ],
    undefined,
  ],
  ['a.html', '<!-- x', [['<!-- x', 'comment']], '-->'],
  ['Makefile', '# x', [['# x', 'comment']], undefined],
] as const)('%s: %s', (path, line, parts, open) => {
  expect(kinds(path, line)).toEqual({ parts, open });
});

test('what is open goes on in the next line, up to its end', () => {
  expect(kinds('a.ts', 'b */ const', { end: '*/', kind: 'comment' })).toEqual({
    parts: [
      ['b */', 'comment'],
      ['const', 'keyword'],
    ],
    open: undefined,
  });
});

const PATHS = ['a.ts', 'a.py', 'a.go', 'a.rs', 'a.sh', 'a.sql', 'a.html', 'a.css', 'a.json', 'a.php', 'a.lua', 'a.el', 'a.yaml'];
const hostile = fc.string({
  unit: fc.constantFrom('"', "'", '`', '\\', '/', '*', '#', '-', '<', '!', '>', 'a', '1', '.', ' ', '😀', 'é', '"""', '/*', '*/'),
  maxLength: 300,
});

test('the parts of any line cover it exactly once, in order', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PATHS),
      hostile,
      fc.option(fc.constant<Open>({ end: '*/', kind: 'comment' }), { nil: undefined }),
      (path, line, open) => {
        const { tokens } = splitTokens(line, findLanguage(path) as Language, open);
        let start = 0;
        for (const { end } of tokens) {
          expect(end).toBeGreaterThan(start);
          start = end;
        }
        expect(start).toBe(line.length);
      },
    ),
  );
});

test('a long hostile line ends: a quadratic expression would take minutes', () => {
  for (const path of ['a.ts', 'a.py', 'a.html', 'a.sql'])
    for (const unit of ['"', "'\\'", '\\"', '`', '/*', '/', '"""', '<!-', '-', '#', '1.', 'a1'])
      splitTokens(unit.repeat(50_000 / unit.length), findLanguage(path) as Language, undefined);
});

test.each([
  ['const a = 1;', 'const a = 2;', ['1', '2']],
  ['foo(bar)', 'foo(baz)', ['bar', 'baz']],
  ['a b c', 'a c', ['b ', '']],
  ['same', 'same', undefined],
  ['nothing alike', '}', undefined],
  ['x 😀', 'x 😁', ['😀', '😁']],
] as const)('changed words: %s → %s', (old, now, expected) => {
  const changed = changedWords(old, now);
  expect(changed && [old.slice(changed.old.from, changed.old.to), now.slice(changed.now.from, changed.now.to)]).toEqual(expected);
});
