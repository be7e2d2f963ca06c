import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test.each([
  ['Which database?', 'Which database?'],
  ['two\nlines\tand a tab, 日本語 🙂', 'two\nlines\tand a tab, 日本語 🙂'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;a new title\u0007text', 'text'],
  ['\u001b]52;c;c2VjcmV0\u001b\\text', 'text'],
  ['bell\u0007 back\bspace', 'bell backspace'],
  ['\u009b31mC1', '31mC1'],
])('%j reads %j', (text, plain) => {
  expect(plainText(text)).toBe(plain);
});

test('the result has no terminal control sequence', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x2ff })), (codes) => {
      const text = String.fromCharCode(...codes);
      expect(plainText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
  );
});
