import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAge, formatSpan, parseDuration } from './duration.ts';

describe('reading a duration', () => {
  test.each([
    ['90', 90_000],
    ['0', 0],
    ['1.5', 1_500],
    ['250ms', 250],
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['1m1m', 120_000],
    [' 3s ', 3_000],
    ['0.57h', 2_052_000],
    ['1.005', 1_005],
  ])('%j is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', ' ', 'soon', '5 m', '-5s', '+5s', '5M', '1h30', '.5s', '1.s', '1e3', '∞', '٣s', '5s,', 's'])('%j is refused', (text) => {
    expect(() => parseDuration(text)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', hint: expect.stringContaining('90s') }));
  });

  test('every amount gives whole milliseconds, and the parts add up', () => {
    const amount = fc.double({ min: 0, max: 1e6, noNaN: true }).map((number) => number.toFixed(3));
    const unit = fc.constantFrom('ms', 's', 'm', 'h', 'd');
    fc.assert(
      fc.property(amount, unit, amount, unit, (a, unitA, b, unitB) => {
        const [first, second, both] = [`${a}${unitA}`, `${b}${unitB}`, `${a}${unitA}${b}${unitB}`].map(parseDuration);
        expect(Number.isInteger(both)).toBe(true);
        expect(Math.abs((first ?? 0) + (second ?? 0) - (both ?? 0))).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('an age for a person', () => {
  test.each([
    [0, '0s'],
    [999, '0s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [3_599_999, '59m'],
    [3_600_000, '1h'],
    [86_399_999, '23h'],
    [86_400_000, '1d'],
    [400 * 86_400_000, '400d'],
    // The clock of another machine, or a step of this one, must not give a strange age.
    [-5_000, '0s'],
  ])('%d ms reads %s', (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });

  test('is never longer than the time passed, and parses again', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000 * 86_400_000 }), (ms) => {
        const said = parseDuration(formatAge(ms));
        expect(said).toBeLessThanOrEqual(ms);
        // One unit is rounded away at most, so at least half of it is left.
        expect(said * 2 + 1_000).toBeGreaterThan(ms);
      }),
    );
  });
});

test.each([
  [-1, '0s'],
  [12_999, '12s'],
  [60_000, '1m'],
  [252_000, '4m12s'],
  [3_600_000, '1h'],
  [8_040_000, '2h14m'],
  [86_400_000, '1d'],
  [273_600_000, '3d4h'],
])('a span of %d ms reads %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});
