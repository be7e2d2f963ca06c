import { expect, test } from 'vitest';
import type { DiffView } from '../diff-view.ts';
import { drawDiff } from '../draw/draw-diff.ts';
import { refreshDiff } from '../refresh.ts';
import { pressed, SAMPLE_DIFF, sampleDiff, sampleWork, textOf } from '../samples.ts';
import { updateDiff } from '../update-diff.ts';
import { commentsOf, lostFeedback, withComment } from './notes.ts';

const SIZE = { columns: 60, rows: 30 };

let made = 0;

/** Writes a comment after these keys. */
function commented(diff: DiffView, keys: readonly string[], text: string): DiffView {
  const { diff: asked, wish } = updateDiff(pressed(diff, keys, SIZE), { kind: 'key', key: 'c' }, SIZE);
  if (wish?.kind !== 'comment') throw new Error('the pane asks for no comment');
  made += 1;
  return withComment({ ...asked, asked: asked.asked && { ...asked.asked, id: asked.asked.id || String(made) } }, text);
}

const FIRST_LINE = ['g', 'J', 'j'];

test.each([
  ['a line', [...FIRST_LINE], { at: 'src/a.ts:1', text: 'So' }],
  ['an added line', [...FIRST_LINE, 'j', 'j'], { at: 'src/a.ts:2', text: 'So' }],
  ['a removed line', [...FIRST_LINE, 'j'], { at: 'src/a.ts:2', text: `(about the removed line 2 "const greeting = 'helo';") So` }],
  ['a selection', [...FIRST_LINE, 'v', 'j', 'j', 'j'], { at: 'src/a.ts:3', text: '(about lines 1 to 3) So' }],
  ['a selection upwards', [...FIRST_LINE, 'j', 'j', 'j', 'v', 'k', 'k'], { at: 'src/a.ts:3', text: '(about lines 2 to 3) So' }],
  ['a hunk', ['g', 'J'], { at: 'src/a.ts:1', text: 'So' }],
  ['a file', ['g'], { at: 'src/a.ts:1', text: '(about the whole file) So' }],
  ['a line of a deleted file', ['G'], { at: 'src/gone.ts:2', text: '(about the removed line 2 "two") So' }],
] as const)('a comment on %s', (_, keys, note) => {
  expect(commentsOf(commented(sampleDiff(), keys, 'So'))).toEqual([note]);
});

test('c on a comment edits it, x deletes it, and an empty text too', () => {
  const once = commented(sampleDiff(), FIRST_LINE, 'First');
  expect(updateDiff(once, { kind: 'key', key: 'c' }, SIZE).diff.asked).toMatchObject({ text: 'First' });
  const twice = commented(once, [], 'Second');
  expect(commentsOf(twice)).toEqual([{ at: 'src/a.ts:1', text: 'Second' }]);
  expect(commentsOf(pressed(twice, ['x'], SIZE))).toEqual([]);
  expect(commentsOf(commented(twice, [], ' '))).toEqual([]);
});

test('new work keeps comments at their lines, and the person at their place', () => {
  const before = commented(sampleDiff(), [...FIRST_LINE, 'j', 'j'], 'Spell it');
  const diff = SAMPLE_DIFF.replace('@@ -1,4 +1,4 @@', '@@ -1,4 +1,6 @@').replace(
    ' const before = 1;',
    '+// new\n+// new too\n const before = 1;',
  );
  const after = refreshDiff(before, sampleWork({ diff }));
  expect(commentsOf(after)).toEqual([{ at: 'src/a.ts:4', text: 'Spell it' }]);
  expect(after.entries[after.cursor]).toMatchObject({ kind: 'line', line: { after: 4 } });
});

test('a comment whose line is gone says so, and is still sent', () => {
  const before = commented(commented(sampleDiff(), [...FIRST_LINE, 'j', 'j'], 'Spell it'), ['G'], 'Keep it');
  const [kept = ''] = SAMPLE_DIFF.split('diff --git a/src/gone.ts');
  const after = refreshDiff(before, sampleWork({ diff: kept.replace("'hello'", "'good day'") }));
  expect(commentsOf(after)).toEqual([{ at: 'src/a.ts:2', text: `(was about line 2 "const greeting = 'hello';") Spell it` }]);
  expect(lostFeedback(after)).toBe('About src/gone.ts:2 "two", which is no longer part of the change: Keep it');
  const drawn = textOf(drawDiff(after, SIZE)).join('\n');
  expect(drawn).toContain('2 comments · 2 whose line changed');
  expect(drawn).toContain('Its line has changed: it was line 2');
  expect(drawn).toContain('Keep it');
});
