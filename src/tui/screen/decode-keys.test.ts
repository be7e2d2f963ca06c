import { describe, expect, test } from 'vitest';
import { decodeAfterPaste, decodeKeys, decodeRest } from './decode-keys.ts';

const keysIn = (text: string) => decodeKeys(text).pressed.map((pressed) => (pressed.kind === 'key' ? pressed.key : pressed));

describe('the keys that a terminal sends', () => {
  test.each<[string, string, readonly string[]]>([
    ['characters', 'aR?', ['a', 'R', '?']],
    ['characters of several code units', 'é漢😀', ['é', '漢', '😀']],
    [
      'control characters',
      '\r\t\u007f\b\u0003\u001a\u0000\n',
      ['enter', 'tab', 'backspace', 'backspace', 'ctrl+c', 'ctrl+z', 'ctrl+space', 'ctrl+j'],
    ],
    ['arrows of both kinds', '\u001b[A\u001bOB\u001b[C\u001bOD', ['up', 'down', 'right', 'left']],
    ['pages, ends, delete', '\u001b[5~\u001b[6~\u001b[H\u001b[4~\u001b[3~', ['page-up', 'page-down', 'home', 'end', 'delete']],
    ['shift+tab', '\u001b[Z', ['shift+tab']],
    ['modifiers', '\u001b[1;5C\u001b[1;3D\u001b[13;2u', ['ctrl+right', 'alt+left', 'shift+enter']],
    ['alt and a key', '\u001bb\u001b\r\u001bé', ['alt+b', 'alt+enter', 'alt+é']],
    ['two escapes', '\u001b\u001bq', ['escape', 'alt+q']],
    ['sequences that mean nothing', '\u001b[I\u001b[?1;2c\u001b]11;rgb:0/0/0\u0007\u001bP1+r\u001b\\x\u001b[Mabc', ['x']],
    ['a broken sequence', '\u001b[1\u0003', ['1', 'ctrl+c']],
  ])('%s', (_, text, expected) => {
    expect(keysIn(text)).toEqual(expected);
    expect(decodeKeys(text).rest).toBe('');
  });

  test('a sequence may arrive in any two parts', () => {
    const whole = 'a\u001b[1;5C\u001b[<0;7;9M\u001b[200~two\rlines\u001b[201~\u001b]0;x\u001b\\é\u001bOA';
    const expected = decodeKeys(whole).pressed;
    for (let at = 1; at < whole.length; at += 1) {
      const first = decodeKeys(whole.slice(0, at));
      expect([...first.pressed, ...decodeKeys(first.rest + whole.slice(at)).pressed], String(at)).toEqual(expected);
    }
  });

  test('a pasted text is one event, with line feeds, and presses no key', () => {
    expect(decodeKeys('\u001b[200~rm -rf\r\nQ\u0003\u001b[A\u001b[201~x').pressed).toEqual([
      { kind: 'paste', text: 'rm -rf\nQ\u0003\u001b[A' },
      { kind: 'key', key: 'x' },
    ]);
  });

  test('a pasted text of any length presses no key, wherever it is cut', () => {
    const text = 'a\rQ'.repeat(334_000);
    for (const behind of ['', '\u001b', '\u001b[', '\u001b[2', '\u001b[20', '\u001b[201']) {
      const first = decodeKeys(`\u001b[200~${text}${behind}`);
      expect(first.pressed.map(({ kind }) => kind)).toEqual(['paste']);
      const more = decodeKeys(`${first.rest}${'\u001b[201~'.slice(behind.length)}x`);
      expect(more.pressed).toEqual([{ kind: 'key', key: 'x' }]);
    }
  });

  test.each([
    ['\u001b[<0;1;1M', { kind: 'mouse', action: 'press', column: 0, row: 0 }],
    ['\u001b[<64;300;100M', { kind: 'mouse', action: 'wheel-up', column: 299, row: 99 }],
    ['\u001b[<65;2;3M', { kind: 'mouse', action: 'wheel-down', column: 1, row: 2 }],
  ])('the mouse: %j', (text, expected) => {
    expect(decodeKeys(text).pressed).toEqual([expected]);
  });

  test('a released button and other buttons press nothing', () => {
    expect(decodeKeys('\u001b[<0;1;1m\u001b[<2;1;1M\u001b[<35;1;1M').pressed).toEqual([]);
  });

  test.each([
    ['half', 'half', ''],
    ['half\u001b[20', 'half', '\u001b[20'],
    ['two\rlines', 'two\nlines', ''],
  ])('a pasted text without an end is delivered after a silence, and stays open: %j', (sent, text, begun) => {
    const { rest } = decodeKeys(`\u001b[200~${sent}`);
    expect(decodeRest(rest)).toEqual({ pressed: [{ kind: 'paste', text }], rest: `\u001b[200~${begun}` });
    expect(decodeRest('\u001b[200~')).toEqual({ pressed: [], rest: '\u001b[200~' });
  });

  describe('what follows a pasted text after a silence', () => {
    const following = (text: string, begun = '') => decodeAfterPaste(`\u001b[200~${begun}`, text);
    const pasted = (text: string) => ({ kind: 'paste', text });
    const keyed = (key: string) => ({ kind: 'key', key });

    test.each<[string, readonly unknown[], string]>([
      ['x', [keyed('x')], ''],
      ['\r', [keyed('enter')], ''],
      ['\u001b[A', [keyed('up')], ''],
      ['\u001b', [], '\u001b'],
      ['\u001b[201~', [], ''],
      ['\u001b[201~x', [keyed('x')], ''],
      ['\u001b[200~more\u001b[201~', [pasted('more')], ''],
      ['\u001b[200~mo', [], '\u001b[200~mo'],
    ])('a single key ends it: %j', (text, pressed, rest) => {
      expect(following(text)).toEqual({ pressed, rest });
    });

    test('the wheel of a mouse is not a text', () => {
      expect(following('\u001b[<64;1;1M\u001b[<64;1;1M').pressed.map(({ kind }) => kind)).toEqual(['mouse', 'mouse']);
    });

    test('its end may be cut anywhere', () => {
      for (let at = 1; at < 6; at += 1)
        expect(following(`${'\u001b[201~'.slice(at)}x`, '\u001b[201~'.slice(0, at))).toEqual({ pressed: [keyed('x')], rest: '' });
    });

    test('several keys, or one before the end, are more of the text', () => {
      expect(following('\rQ')).toEqual({ pressed: [], rest: '\u001b[200~\rQ' });
      expect(following('a\rQ\u001b[201~x')).toEqual({ pressed: [pasted('a\nQ'), keyed('x')], rest: '' });
      expect(following('\r\u001b[201~')).toEqual({ pressed: [pasted('\n')], rest: '' });
    });
  });

  test.each<[string, readonly string[], string]>([
    ['\u001b', ['escape'], ''],
    ['\u001b[', ['alt+['], ''],
    ['\u001b[1;', [], ''],
    ['', [], ''],
  ])('%j, and nothing follows', (text, expected, left) => {
    const { rest } = decodeKeys(text);
    expect(rest).toBe(text);
    expect(decodeRest(rest)).toEqual({ pressed: expected.map((key) => ({ kind: 'key', key })), rest: left });
  });
});
