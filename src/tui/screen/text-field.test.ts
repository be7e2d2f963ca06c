import { describe, expect, test } from 'vitest';
import { widthOf } from '../../base/text-width.ts';
import { drawField, EMPTY_FIELD, fieldOf, type TextField, typeInto } from './text-field.ts';

const press = (field: TextField, ...keys: readonly string[]): TextField =>
  keys.reduce((now, key) => typeInto(now, { kind: 'key', key }) ?? now, field);

/** The text with a bar where the cursor is. */
const shown = ({ text, cursor }: TextField): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe('a text field', () => {
  test.each<[string, TextField, readonly string[], string]>([
    ['types', EMPTY_FIELD, ['a', 'é', '😀', ' '], 'aé😀 |'],
    ['deletes whole characters', fieldOf('ab👍🏽e\u0301'), ['backspace', 'backspace'], 'ab|'],
    ['moves and inserts', fieldOf('ac'), ['left', 'b'], 'ab|c'],
    ['goes to both ends', fieldOf('bc'), ['home', 'a', 'end', 'd'], 'abcd|'],
    ['deletes forward', fieldOf('abc'), ['home', 'delete'], '|bc'],
    ['deletes a word', fieldOf('one two  '), ['ctrl+w'], 'one |'],
    ['deletes to both sides', fieldOf('one two'), ['alt+b', 'ctrl+u', 'ctrl+k'], '|'],
    ['moves by words', fieldOf('one two'), ['home', 'alt+f', 'alt+f', 'alt+b'], 'one |two'],
    ['begins a line', fieldOf('a'), ['alt+enter', 'b'], 'a\nb|'],
    ['ignores other keys', fieldOf('a'), ['f5', 'up', 'tab', 'ctrl+x'], 'a|'],
    ['stays inside', fieldOf(''), ['left', 'backspace', 'right', 'delete'], '|'],
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
      expect(widthOf(line.map((span) => span.text).join(''))).toBeLessThanOrEqual(Math.max(2, columns));
      expect(line.map((span) => span.text).join('')).not.toMatch(/[\u001b\n]/);
    }
  });
});
