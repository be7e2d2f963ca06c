import { describe, expect, test } from 'vitest';
import { isBeforeCursor, type Seen, seenSince } from './seen-text.ts';

const TEXT = 'Write about the sea, and about the ships on it';
const LONG = `${TEXT} `.repeat(20).trim();

test.each<[string, readonly string[], readonly string[], string, Seen]>([
  ['the text behind a prompt', ['> '], [`> ${TEXT}`], TEXT, 'whole'],
  ['a text that wraps', ['> '], [`> ${TEXT.slice(0, 20)}`, TEXT.slice(20)], TEXT, 'whole'],
  ['a text in a frame', ['│ > │'], [`│ > ${TEXT.slice(0, 21)}│`, `│   ${TEXT.slice(21)}   │`], TEXT, 'whole'],
  ['a text with marks between its rows', ['>>> '], [`>>> ${TEXT.slice(0, 25)}`, `... ${TEXT.slice(25)}`], TEXT, 'whole'],
  ['a text that was there before', [`> ${TEXT}`], [`> ${TEXT}`], TEXT, 'nothing'],
  ['a text that shows once more', [`> ${TEXT}`], [`> ${TEXT}`, `> ${TEXT}`], TEXT, 'whole'],
  ['nothing of it', ['> '], ['> '], TEXT, 'nothing'],
  ['its end, because the first keys were lost', ['> '], [`> ${TEXT.slice(6)}`, '', ''], TEXT, 'end'],
  ['its beginning, because the rest has not arrived', ['> '], [`> ${TEXT.slice(0, 30)}`], TEXT, 'start'],
  ['the end of a text that is taller than the screen', ['> '], [LONG.slice(-40), LONG.slice(-20)], LONG, 'whole'],
  ['a short text', ['> '], ['> y'], 'y', 'whole'],
  ['half of a short text', ['> '], ['> ok'], 'book', 'end'],
])('the screen shows %s', (_, before, after, text, seen) => {
  expect(seenSince(before, after, text)).toBe(seen);
});

describe('the text before the cursor', () => {
  test.each([
    ['typed and not sent', [`> ${TEXT}`], { x: 2 + TEXT.length, y: 0 }, true],
    ['typed over two rows', [`> ${TEXT.slice(0, 20)}`, TEXT.slice(20)], { x: TEXT.length - 20, y: 1 }, true],
    ['sent: the cursor is in the next row, behind a prompt', [`> ${TEXT}`, '> '], { x: 2, y: 1 }, false],
    ['not typed', ['> '], { x: 2, y: 0 }, false],
  ])('%s', (_, lines, cursor, expected) => {
    expect(isBeforeCursor(lines, cursor, TEXT)).toBe(expected);
  });
});
