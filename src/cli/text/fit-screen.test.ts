import { expect, test } from 'vitest';
import { fitScreen } from './fit-screen.ts';

test('text that fits is not changed', () => {
  expect(fitScreen('one\n  ↳ two three', { columns: 80, rows: 24 })).toBe('one\n  ↳ two three');
});

test('a line is cut at the right edge with its colours kept, and a wide character is never split', () => {
  const red = (text: string) => `\u001b[31m${text}\u001b[39m`;
  expect(fitScreen(`adam ${red('[error]')} 🌊 and so on`, { columns: 15, rows: 24 })).toBe(`adam ${red('[error]')} 🌊`);
  expect(fitScreen(`adam ${red('[error]')} 🌊 and so on`, { columns: 14, rows: 24 })).toBe(`adam ${red('[error]')} `);
  expect(fitScreen(`adam ${red('[error]')}`, { columns: 7, rows: 24 })).toBe(`adam ${red('[e')}`);
});

test.each([
  { rows: 6, shown: ['1', '2', '3', '4', '5'] },
  { rows: 5, shown: ['1', '2', '3', '… 2 more lines: llmc status'] },
  { rows: 1, shown: ['1', '… 4 more lines: llmc status'] },
])('in $rows rows, with one for the cursor, the rest is counted', ({ rows, shown }) => {
  expect(fitScreen('1\n2\n3\n4\n5', { columns: 80, rows }).split('\n')).toEqual(shown);
});
