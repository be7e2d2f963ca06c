import { describe, expect, test } from 'vitest';
import { measureWidth } from '../../base/text-width.ts';
import { drawField, EMPTY_FIELD, makeField, type TextField, typeInto } from './text-field.ts';

const press = (field: TextField, ...keys: readonly string[]): TextField =>
  keys.reduce((now, key) => typeInto(now, { kind: 'key', key }) ?? now, field);

/** The text with a bar where the cursor is. */
const shown = ({ text, cursor }: TextField): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe('a text field', () => {
  test.each<[string, TextField, readonly string[], string]>([
    ['types', EMPTY_FIELD, ['a', 'é', '😀', ' '], 'aé😀 |'],
    ['deletes whole characters', makeField('ab👍🏽e\u0301'), ['backspace', 'backspace'], 'ab|'],
    ['moves and inserts', makeField('ac'), ['left', 'b'], 'ab|c'],
    ['goes to both ends', makeField('bc'), ['home', 'a', 'end', 'd'], 'abcd|'],
    ['deletes forward', makeField('abc'), ['home', 'delete'], '|bc'],
    ['deletes a word', makeField('one two  '), ['ctrl+w'], 'one |'],
    ['deletes to both sides', makeField('one two'), ['alt+b', 'ctrl+u', 'ctrl+k'], '|'],
    ['moves by words', makeField('one two'), ['home', 'alt+f', 'alt+f', 'alt+b'], 'one |two'],
    ['begins a line', makeField('a'), ['alt+enter', 'b'], 'a\nb|'],
    ['ignores other keys', makeField('a'), ['f5', 'up', 'tab', 'ctrl+x'], 'a|'],
    ['stays inside', makeField(''), ['left', 'backspace', 'right', 'delete'], '|'],
  ])('%s', (_, field, keys, expected) => {
    expect(shown(press(field, ...keys))).toBe(expected);
  });

  test('a pasted text is inserted as it is', () => {
    expect(typeInto({ text: 'ab', cursor: 1 }, { kind: 'paste', text: 'x\ny' })).toEqual({ text: 'ax\nyb', cursor: 4 });
  });

  test.each([1, 2, 10, 40])('fits into %i columns with its cursor', (columns) => {
    const text = `漢字 ${'word '.repeat(30)}\u001b[31m\n`;
    for (const cursor of [0, 2, 40, text.length]) {
      const line = drawField({ text, cursor }, columns);
      expect(line.some(({ style }) => style?.inverse === true)).toBe(true);
      expect(measureWidth(line.map((span) => span.text).join(''))).toBeLessThanOrEqual(Math.max(2, columns));
      expect(line.map((span) => span.text).join('')).not.toMatch(/[\u001b\n]/);
    }
  });
});
