import { expect, test } from 'vitest';
import { isExplained, parseExplanations } from './explain.ts';

const TRAILERS = [
  'Dropped: src/a b: c.ts: const x =  1;',
  'restored: old.ts: legacy();',
  'Dropped: long.ts: const description = ...',
  'Dropped: s.ts: a...',
  'Other: x: y',
];

test.for([
  ['dropped', 'src/a b: c.ts', '\tconst x = 1;', true],
  ['dropped', 'src/a b', 'c.ts: const x = 1;', true],
  ['dropped', 'src/a b: c.ts', 'const x = 2;', false],
  ['restored', 'src/a b: c.ts', 'const x = 1;', false],
  ['restored', 'old.ts', '  legacy();', true],
  ['dropped', 'long.ts', "const description = 'of many words';", true],
  ['dropped', 's.ts', 'a very short beginning', false],
  ['dropped', 'x', 'y', false],
] as const)('%s %s: %s is explained: %s', ([kind, path, text, expected]) => {
  expect(isExplained(kind, path, text, parseExplanations(TRAILERS.join('\n')))).toBe(expected);
});
