import { expect, test } from 'vitest';
import type { Line } from '../screen/line.ts';
import { drawScreen } from './draw-screen.ts';

const texts = (lines: readonly Line[]) => lines.map((line) => line.map(({ text }) => text).join(''));
const size = { columns: 10, rows: 3 };

test.each([
  ['a small screen', { lines: ['one', 'two'], of: 'agent' }, ['one', 'two', '']],
  ['a high screen shows its end', { lines: ['one', 'two', 'three', 'four'], of: 'agent' }, ['two', 'three', 'four']],
  ['blank lines at the end are left out', { lines: ['one', 'two', 'three', 'four', '', ''], of: 'agent' }, ['two', 'three', 'four']],
  ['a wide screen is cut', { lines: ['0123456789abc', '漢字漢字漢字'], of: 'agent' }, ['012345678…', '漢字漢字…', '']],
  ['an empty screen', { lines: ['', ''], of: 'agent' }, ['', '', '']],
  ['a viewer is named', { lines: ['one', 'two', 'three'], of: 'viewer' }, ['a viewer o', 'two', 'three']],
] as const)('%s', (_, screen, expected) => {
  expect(texts(drawScreen({ screen }, size))).toEqual(expected);
});

test('without a screen it says why', () => {
  expect(texts(drawScreen({ noScreen: 'no supervisor is running for this root – llmc up --detach' }, { columns: 30, rows: 3 }))).toEqual([
    'no supervisor is running for',
    'this root – llmc up --detach.',
    '',
  ]);
});

test('the style of a line without text but with a background is kept', () => {
  expect(drawScreen({ screen: { lines: ['a', '\u001b[41m  \u001b[0m'], of: 'agent' } }, size)[1]).toEqual([
    { text: '  ', style: { background: 'red' } },
  ]);
});
