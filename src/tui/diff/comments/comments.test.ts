import { expect, test } from 'vitest';
import type { DiffView } from '../diff-view.ts';
import { drawDiff } from '../draw/draw-diff.ts';
import { refreshDiff } from '../refresh.ts';
import { pressed, SAMPLE_DIFF, sampleDiff, sampleWork, toPlainLines } from '../samples.ts';
import { updateDiff } from '../update-diff.ts';
import { lostFeedback, toNotes, withComment } from './notes.ts';

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
  expect(toNotes(commented(sampleDiff(), keys, 'So'))).toEqual([note]);
});

test('c on a comment edits it, x deletes it, and an empty text too', () => {
  const once = commented(sampleDiff(), FIRST_LINE, 'First');
  expect(updateDiff(once, { kind: 'key', key: 'c' }, SIZE).diff.asked).toMatchObject({ text: 'First' });
  const twice = commented(once, [], 'Second');
  expect(toNotes(twice)).toEqual([{ at: 'src/a.ts:1', text: 'Second' }]);
  expect(toNotes(pressed(twice, ['x'], SIZE))).toEqual([]);
  expect(toNotes(commented(twice, [], ' '))).toEqual([]);
});

test('new work keeps comments at their lines, and the person at their place', () => {
  const before = commented(sampleDiff(), [...FIRST_LINE, 'j', 'j'], 'Spell it');
  const diff = SAMPLE_DIFF.replace('@@ -1,4 +1,4 @@', '@@ -1,4 +1,6 @@').replace(
    ' const before = 1;',
    '+// new\n+// new too\n const before = 1;',
  );
  const after = refreshDiff(before, sampleWork({ diff }));
  expect(toNotes(after)).toEqual([{ at: 'src/a.ts:4', text: 'Spell it' }]);
  expect(after.entries[after.cursor]).toMatchObject({ kind: 'line', line: { after: 4 } });
});

test('a comment whose line is gone says so, and is still sent', () => {
  const before = commented(commented(sampleDiff(), [...FIRST_LINE, 'j', 'j'], 'Spell it'), ['G'], 'Keep it');
  const [kept = ''] = SAMPLE_DIFF.split('diff --git a/src/gone.ts');
  const after = refreshDiff(before, sampleWork({ diff: kept.replace("'hello'", "'good day'") }));
  expect(toNotes(after)).toEqual([{ at: 'src/a.ts:2', text: `(was about line 2 "const greeting = 'hello';") Spell it` }]);
  expect(lostFeedback(after)).toBe('About src/gone.ts:2 "two", which is no longer part of the change: Keep it');
  const drawn = toPlainLines(drawDiff(after, SIZE)).join('\n');
  expect(drawn).toContain('2 comments · 2 whose line changed');
  expect(drawn).toContain('Its line has changed: it was line 2');
  expect(drawn).toContain('Keep it');
});

/** A new file of one function for each name, with an empty line after each. */
function functionsDiff(...names: readonly string[]): string {
  const lines = names.flatMap((name) => [`function ${name}() {`, `  return ${name.charCodeAt(0)};`, '}', '']);
  const added = lines.map((line) => `+${line}\n`).join('');
  return `diff --git a/src/a.ts b/src/a.ts\nnew file mode 100644\nindex 0000000..2222222\n--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1,${lines.length} @@\n${added}`;
}

test.each([
  ['a line of its own text', 6, ['z', 'a', 'b', 'c'], { at: 'src/a.ts:10', text: 'Here' }],
  ['a brace that moved with its function', 7, ['z', 'a', 'b', 'c'], { at: 'src/a.ts:11', text: 'Here' }],
  ['an empty line that moved with its function', 8, ['z', 'a', 'b', 'c'], { at: 'src/a.ts:12', text: 'Here' }],
  ['a brace whose function is gone', 7, ['z', 'a', 'c'], { at: 'src/a.ts:7', text: '(was about line 7 "}") Here' }],
  ['an empty line whose function is gone', 8, ['z', 'a', 'c'], { at: 'src/a.ts:8', text: '(was about line 8) Here' }],
  ['the last brace that is left', 7, ['a'], { at: 'src/a.ts:4', text: '(was about line 7 "}") Here' }],
] as const)('a comment on one of several lines with the same text: %s', (_, line, names, note) => {
  const before = commented(
    sampleDiff({ diff: functionsDiff('a', 'b', 'c'), files: [] }),
    ['g', ...Array<string>(line + 1).fill('j')],
    'Here',
  );
  expect(before.comments).toMatchObject([{ to: line }]);
  expect(toNotes(refreshDiff(before, sampleWork({ diff: functionsDiff(...names) })))).toEqual([note]);
});
