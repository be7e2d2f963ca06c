import fc from 'fast-check';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { terminalText } from './output.ts';

test('the colours of llmc stay', () => {
  const colors = pc.createColors(true);
  const text = [colors.red('a'), colors.dim(colors.bold('b')), colors.gray('c'), colors.inverse('d'), '\u001b[92;1me\u001b[m'].join(' ');
  expect(terminalText(text)).toBe(text);
});

test.each([
  ['concealed text', '\u001b[8mhidden'],
  ['black text', '\u001b[30mhidden'],
  ['a background', '\u001b[41mhidden'],
  ['a palette colour', '\u001b[38;5;0mhidden'],
  ['a colour together with conceal', '\u001b[31;8mhidden'],
  ['a cursor move', '\u001b[1Ahidden'],
  ['a title', '\u001b]0;hidden\u0007'],
  ['the clipboard', '\u001b]52;c;aGlkZGVu\u0007'],
  ['a link', '\u001b]8;;https://example.test\u001b\\hidden\u001b]8;;\u001b\\'],
])('%s is shown and has no effect', (_, text) => {
  expect(terminalText(text)).toBe(text.replaceAll('\u001b', '<U+001B>').replaceAll('\u0007', '<U+0007>'));
});

test('without its colours, the output has nothing that a terminal executes', () => {
  const parts = fc.constantFrom('\u001b', '[', ']', '3', '1', ';', '8', 'm', '\u001b[31m', '\u009b', '\r', '\n', 'text', '\u202e');
  fc.assert(
    fc.property(fc.array(parts), (list) => {
      const left = terminalText(list.join('')).replace(/\u001b\[(?:[0-9]+(?:;[0-9]+)*)?m/g, (code) =>
        /\b8\b|4[0-8]|30/.test(code) ? code : '',
      );
      expect(left).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]|\r(?!\n)/);
    }),
  );
});
