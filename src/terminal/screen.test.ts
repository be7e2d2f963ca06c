import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { screenFromText } from './screen.ts';

describe('a screen from captured text', () => {
  test('keeps blank rows, drops what pads a row and the last line break', () => {
    expect(screenFromText('one   \n\n  two\t\r\n\n')).toEqual({ lines: ['one', '', '  two', ''], width: 80, height: 4 });
  });

  test('a no-break space stays where the program put it, but not at the end', () => {
    expect(screenFromText('❯\u00a0x\u00a0').lines).toEqual(['❯\u00a0x']);
  });

  test('is as wide as its widest row if no width is given', () => {
    expect(screenFromText('x'.repeat(120)).width).toBe(120);
    expect(screenFromText('x'.repeat(120), { width: 100, height: 50 })).toMatchObject({ width: 100, height: 50 });
  });

  test('no row ever ends in white space or holds a line break', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        const { lines, height } = screenFromText(text);
        expect(lines).toEqual(lines.map((line) => line.trimEnd()));
        expect(lines.join('')).not.toContain('\n');
        expect(height).toBe(lines.length);
      }),
    );
  });

  test('of a window that an agent made huge is its last rows, cut at the right', () => {
    const { lines, width } = screenFromText(`${'x\n'.repeat(200_000)}${'y'.repeat(10_000)}\n`);
    expect(lines).toHaveLength(500);
    expect(width).toBe(1_000);
  });
});
