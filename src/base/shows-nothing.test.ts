import { expect, test } from 'vitest';
import { showsNothing } from './shows-nothing.ts';

test.for([
  ['', 'nothing'],
  [' \t\r\n\u00a0\u2003\u3000', 'blanks'],
  ['\u0007\u001b\u0085', 'controls'],
  ['\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u180e', 'zero-width and format characters'],
  ['\u3164\u115f\u1160\uffa0', 'Hangul fillers'],
  ['\ufe0f\u{e0100}\u{e0041}\u{e007f}', 'variation selectors and tags'],
  ['\u2800\u{1d159}', 'symbols without ink'],
  ['\u2028\u2029\ud800', 'separators and half a surrogate pair'],
  [' \u200b\u0007 \u3164\n', 'a mixture'],
])('%j shows nothing: %s', ([text]) => {
  expect(showsNothing(text ?? '')).toBe(true);
});

test.for(['.', 'a', '\u200bé', '修', '🙂', '\u0601', '\u0301', '\ue0b0', '\u200b-'])('%j shows something', (text) => {
  expect(showsNothing(text)).toBe(false);
});
