import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hiddenIn, jsonText, visibleIn, visibleLine, visibleText } from './visible-text.ts';

test.each([
  ['Which database?', 'Which database?'],
  ['two\nlines\tand a tab, 日本語 🙂', 'two\nlines\tand a tab, 日本語 🙂'],
  ['\u001b[31mred\u001b[0m', '<U+001B>[31mred<U+001B>[0m'],
  ['\u001b]0;a new title\u0007text', '<U+001B>]0;a new title<U+0007>text'],
  ['\u001b]52;c;c2VjcmV0\u001b\\text', '<U+001B>]52;c;c2VjcmV0<U+001B>\\text'],
  ['an OSC without an end hides nothing \u001b]0;rm -rf', 'an OSC without an end hides nothing <U+001B>]0;rm -rf'],
  ['bell\u0007 back\bspace', 'bell<U+0007> back<U+0008>space'],
  ['\u009b31mC1', '<U+009B>31mC1'],
  ['safe\rtext', 'safe<U+000D>text'],
  ['a line of Windows\r\nand the next', 'a line of Windows\r\nand the next'],
  ['admin\u202e nimda', 'admin<U+202E> nimda'],
  ['user\u200bname \ufeff \u00ad', 'user<U+200B>name <U+FEFF> <U+00AD>'],
  ['a flag that carries text 🙂\u{e0061}\u{e0062}', 'a flag that carries text 🙂<U+E0061><U+E0062>'],
  ['one line\u2028another', 'one line<U+2028>another'],
])('%j is shown as %j', (text, visible) => {
  expect(visibleText(text)).toBe(visible);
});

test.each([
  ['emoji made of several characters', '👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽 🏳️‍🌈'],
  ['Persian with its joiner', 'می‌خواهم'],
  ['Sinhala with its joiner', 'ශ්‍රී'],
  ['Russian, Greek, Arabic and Hebrew', 'Привет, Γειά, مرحبا ٠٦, שלום'],
])('%s stays as it is', (_, text) => {
  expect(visibleText(text)).toBe(text);
});

test('a joiner between Latin letters or after an emoji is shown', () => {
  expect(visibleText('pass\u200dword 👍\u200d')).toBe('pass<U+200D>word 👍<U+200D>');
});

test('one line stays one line', () => {
  expect(visibleLine('  evil.txt\n→ rm -rf ~\tnow\r\n')).toBe('  evil.txt ⏎ → rm -rf ~ now');
});

test('every string inside a value is made visible, and everything else is kept', () => {
  const value = { list: ['\u001b[2J', 1, null, true], inner: { text: 'a\u0007' }, nothing: undefined };
  expect(visibleIn(value)).toEqual({ list: ['<U+001B>[2J', 1, null, true], inner: { text: 'a<U+0007>' }, nothing: undefined });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0x2ff })).map((codes) => String.fromCharCode(...codes)),
  fc
    .array(fc.constantFrom('\u001b', '[', 'm', '\r', '\n', '\u200d', '\ufe0f', '👩', '👍', '1', '\u20e3', 'ک', 'a', '\u202e'))
    .map((parts) => parts.join('')),
);

/** Written without the properties of Unicode that the code uses. */
const EXECUTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/;

test('the result has nothing that a terminal executes or that reorders text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(visibleText(text)).not.toMatch(EXECUTED);
    }),
  );
});

test('a second time changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(visibleText(visibleText(text))).toBe(visibleText(text));
    }),
  );
});

test('the text around the codes is kept, in its order', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const restored = visibleText(text).replace(/<U\+([0-9A-F]{4,6})>/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      );
      expect(restored).toBe(text);
    }),
  );
});

test('the listed characters are those that are replaced', () => {
  expect(hiddenIn('a\u202e👨‍👩‍👧\u200b')).toEqual(['\u202e', '\u200b']);
});

test('JSON is exact, and a terminal executes nothing of it', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const json = jsonText({ text });
      expect(JSON.parse(json)).toEqual({ text });
      expect(json).not.toMatch(EXECUTED);
      expect(visibleText(json)).toBe(json);
    }),
  );
  expect(jsonText(['\u009b\u202e\u{e0061}'])).toBe('["\\u009b\\u202e\\udb40\\udc61"]');
});

// The regular expression that was here before took minutes.
test('a megabyte of blanks is read to its end', { timeout: 60_000 }, () => {
  const blanks = ' '.repeat(1_000_000);
  expect(visibleLine(`a${blanks}b`)).toHaveLength(1_000_002);
  expect(visibleLine(`a${blanks}\n${blanks}b`)).toBe('a ⏎ b');
});
