import { expect, test } from 'vitest';
import type { DiffView } from './diff-view.ts';
import { openDiff } from './diff-view.ts';
import { drawDiff } from './draw/draw-diff.ts';
import { diffKeys } from './keys.ts';
import { pressed, sampleDiff, sampleWork, toPlainLines } from './samples.ts';
import { updateDiff } from './update-diff.ts';

const SIZE = { columns: 60, rows: 12 };

const at = ({ entries, cursor }: DiffView) => {
  const entry = entries[cursor];
  return entry?.kind === 'line' ? `${entry.line.sign}${entry.line.text}` : `${entry?.kind} ${entry?.file.path}`;
};

test.each([
  [['j', 'j'], ' const before = 1;'],
  [['G'], '-two'],
  [['G', 'g'], 'file src/a.ts'],
  [['J'], 'hunk src/a.ts'],
  [['J', 'J'], 'hunk src/gone.ts'],
  [['G', 'K'], 'hunk src/gone.ts'],
  [['N'], 'file src/gone.ts'],
  [['G', 'P', 'P'], 'file src/a.ts'],
  [['page-down', 'page-down', 'page-down'], '-two'],
  [['G', 'page-up', 'page-up', 'page-up'], 'file src/a.ts'],
  [['f', 'j', 'enter'], 'file src/gone.ts'],
  [['f', 'j', 'escape'], 'file src/a.ts'],
] as const)('%j goes to %s', (keys, expected) => {
  expect(at(pressed(sampleDiff(), keys, SIZE))).toBe(expected);
});

test('a key of the pane that finds nothing to do is not left to the list; others are', () => {
  const end = pressed(sampleDiff(), ['G'], SIZE);
  expect(updateDiff(end, { kind: 'key', key: 'j' }, SIZE).diff).not.toBe(end);
  for (const key of ['a', 'r', 'q', 'enter', 'left', 'escape']) expect(updateDiff(end, { kind: 'key', key }, SIZE).diff).toBe(end);
  const files = pressed(end, ['f'], SIZE);
  for (const key of ['enter', 'left', 'escape']) expect(updateDiff(files, { kind: 'key', key }, SIZE).diff).not.toBe(files);
});

test('the list of files folds, and left goes to the folder around a file', () => {
  const folded = pressed(sampleDiff(), ['f', 'left', 'left'], SIZE);
  expect(toPlainLines(drawDiff(folded, SIZE)).slice(2, 4)).toEqual(['>▸ src/ 2', '']);
  expect(toPlainLines(drawDiff(pressed(folded, ['right', 'j'], SIZE), SIZE)).slice(2, 5)).toEqual([
    ' ▾ src/',
    '>   M a.ts +2 -2',
    '    D gone.ts +0 -2',
  ]);
});

test('a file counts as seen when every line of it was on the screen, and not after a jump to its end', () => {
  const small = { columns: 60, rows: 8 };
  const seen = (keys: readonly string[]) =>
    [...pressed(sampleDiff(), keys, small).seen].flatMap(([path, { isWhole }]) => (isWhole ? [path] : []));
  expect(seen(['j'])).toEqual([]);
  expect(seen(['G'])).toEqual(['src/gone.ts']);
  expect(seen(['j', 'page-down', 'page-down', 'page-down'])).toEqual(['src/a.ts', 'src/gone.ts']);
});

test('the wheel scrolls and the cursor stays on the screen; a click moves it, or goes to a file', () => {
  const size = { columns: 120, rows: 9 };
  const wheel = updateDiff(sampleDiff(), { kind: 'mouse', action: 'wheel-down', column: 50, row: 5 }, size).diff;
  expect(at(wheel)).toBe("-const greeting = 'helo';");
  const click = updateDiff(wheel, { kind: 'mouse', action: 'press', column: 50, row: 5 }, size).diff;
  expect(at(click)).toBe(' // the end');
  expect(at(updateDiff(wheel, { kind: 'mouse', action: 'press', column: 3, row: 4 }, size).diff)).toBe('file src/gone.ts');
});

test('w asks for the same work without changes of white space', () => {
  expect(updateDiff(sampleDiff(), { kind: 'key', key: 'w' }, SIZE).wish).toEqual({ kind: 'reload', ignoreWhitespace: true });
  const without = sampleDiff({ ignores_whitespace: true });
  expect(updateDiff(without, { kind: 'key', key: 'w' }, SIZE).wish).toEqual({ kind: 'reload', ignoreWhitespace: false });
});

test('the footer names the keys that work now', () => {
  const keys = (diff: DiffView) => diffKeys(diff).map((each) => each.keys);
  expect(keys(sampleDiff())).toContain('c');
  expect(keys(pressed(sampleDiff(), ['f'], SIZE))).toEqual(['enter', '← →', 'f']);
  expect(keys(pressed(sampleDiff(), ['o'], SIZE))).toContain('o');
  expect(keys(openDiff(sampleWork()))).toEqual(['o']);
});

test('an answer that comes with work does not cover the work', () => {
  const answer = { text: 'It was the cache.', cut: false, source: 'message' as const, task: 1, at_unix: 0 };
  expect(openDiff(sampleWork({ answer })).focus).toBe('lines');
  expect(openDiff(sampleWork({ kind: 'answer', answer })).focus).toBe('head');
});
