import { expect, test } from 'vitest';
import type { Line } from '../../../tui/screen/line.ts';
import { RowWriter } from './row-writer.ts';

function writer(color = true) {
  const written: string[] = [];
  return { written, rows: new RowWriter((text) => void written.push(text), color) };
}

const line = (text: string): Line => [{ text }];

test('writes everything once, then only rows that changed, in one piece', () => {
  const { written, rows } = writer();
  rows.show([line('a'), line('b'), line('c')]);
  rows.show([line('a'), line('B'), line('c')]);
  rows.show([line('a'), line('B'), line('c')]);
  expect(written).toHaveLength(2);
  expect(written[0]).toContain('\u001b[2J');
  expect(written[1]).toBe('\u001b[?2026h\u001b[2;1H\u001b[2KB\u001b[?2026l');
});

test('after another program had the terminal, everything is written again', () => {
  const { written, rows } = writer();
  rows.show([line('a')]);
  rows.forget();
  rows.show([line('a')]);
  expect(written[1]).toBe(written[0]);
});

test('styles are reset behind each text; without colours the others stay', () => {
  const shown: Line = [{ text: 'x', style: { color: 'red', bold: true, inverse: true } }, { text: 'y' }];
  const colored = writer();
  colored.rows.show([shown]);
  expect(colored.written[0]).toContain('\u001b[1;7;31mx\u001b[0my');
  const plain = writer(false);
  plain.rows.show([shown]);
  expect(plain.written[0]).toContain('\u001b[1;7mx\u001b[0my');
});

test('no control character of a text reaches the terminal', () => {
  const { written, rows } = writer();
  rows.show([line('a\u001b]0;title\u0007b\nc\td\u202e')]);
  expect(written[0]).toContain('a<U+001B>]0;title<U+0007>b c d<U+202E>');
});
