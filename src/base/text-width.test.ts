import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { cutToWidth, measureWidth, padToWidth, wrapWithIndent } from './text-width.ts';

test('wide characters take two columns, colours none', () => {
  expect([measureWidth('abc'), measureWidth('修正'), measureWidth('🦊'), measureWidth('\u001b[31mred\u001b[39m')]).toEqual([3, 4, 2, 3]);
});

test('signs that llmc prints take one column, as string-width says', () => {
  for (const sign of '·–—‘’“”…→↳⏎') expect([sign, measureWidth(sign), stringWidth(sign)]).toEqual([sign, 1, 1]);
});

describe('cutting', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['a longer text', 8, 'a longe…'],
    ['修正する', 5, '修正…'],
    ['修正する', 4, '修…'],
    ['🦊🦊🦊', 5, '🦊🦊…'],
    ['👩‍👩‍👧‍👦 family', 4, '👩‍👩‍👧‍👦 …'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
  ])('%s to %i columns', (text, columns, expected) => {
    expect(cutToWidth(text, columns)).toBe(expected);
    expect(measureWidth(cutToWidth(text, columns))).toBeLessThanOrEqual(columns);
  });
});

test('padding counts columns, not characters', () => {
  expect(padToWidth('修正', 6)).toBe('修正  ');
  expect(padToWidth('longer', 3)).toBe('longer');
});

test('lines are broken between words and indented; a long word stays whole', () => {
  expect(wrapWithIndent('Review it: llmc review adam', 12, 2)).toEqual(['Review it:', '  llmc', '  review', '  adam']);
  expect(wrapWithIndent('  ↳ /a/very/long/path and more', 10, 4)).toEqual(['  ↳ /a/very/long/path', '    and', '    more']);
});
