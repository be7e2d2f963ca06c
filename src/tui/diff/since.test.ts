import { expect, test } from 'vitest';
import { toNotes, withComment } from './comments/notes.ts';
import { drawDiff } from './draw/draw-diff.ts';
import { diffKeys } from './keys.ts';
import { refreshDiff } from './refresh.ts';
import { pressed, SAMPLE_DIFF, sampleDiff, toPlainLines } from './samples.ts';
import type { ShownReview } from './shown-work.ts';
import { updateDiff } from './update-diff.ts';

const SIZE = { columns: 80, rows: 20 };
const FILE = { path: 'src/a.ts', status: 'M', added: 1, removed: 1, binary: false, before: null, after: null };
/** The worker has spelled the greeting once more, and touched nothing else. */
const DIFF = `diff --git a/src/a.ts b/src/a.ts
index 2222222..3333333 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -2,2 +2,2 @@
-const greeting = 'hallo';
+const greeting = 'hello';
 // the end
`;
const NOTES = [
  { at: 'src/a.ts:2', text: 'In English', quoted: "const greeting = 'hallo';" },
  { at: 'src/a.ts:1', text: 'Why one?', quoted: 'const before = 1;' },
];
const since = (parts: Partial<NonNullable<ShownReview['since']>> = {}): NonNullable<ShownReview['since']> => ({
  reviewed: 'b'.repeat(40),
  feedback: 'See the remarks.',
  notes: NOTES,
  at_unix: 1,
  files: [FILE],
  stat: '',
  diff: DIFF,
  ...parts,
});
const screen = (diff: ReturnType<typeof sampleDiff>) => toPlainLines(drawDiff(diff, SIZE)).join('\n');

test('work that was sent back opens with what changed since then, and each remark beside its answer', () => {
  const diff = sampleDiff({ since: since() });
  const drawn = screen(diff);
  expect(drawn).toContain('1/1 · since your last review (t: all)');
  expect(drawn).toMatch(/-const greeting = 'hallo';\n {2}│ You said:\n {2}│ In English\n.*\+const greeting = 'hello';/);
  expect(drawn).toMatch(/You said of line 1 "const before = 1;" of src\/a\.ts, where nothing\n? ?.*changed:/);
  expect(drawn).not.toContain('gone.ts');
  expect(diffKeys(diff)).toContainEqual({ keys: 't', does: 'the whole change' });
});

test('t shows the whole change and back; what was sent is neither counted nor sent again', () => {
  const whole = pressed(sampleDiff({ since: since() }), ['t'], SIZE);
  expect(screen(whole)).toContain('all of it (t: since your last review)');
  expect(screen(whole)).toContain('You said of line 2 "const greeting = \'hallo\';" of src/a.ts, which has change');
  expect(screen(whole)).toMatch(/const before = 1;\n {2}│ You said:\n {2}│ Why one\?/);
  expect(pressed(whole, ['t'], SIZE)).toMatchObject({ scope: 'since' });
  expect([toNotes(whole), screen(whole).includes('comment')]).toEqual([[], false]);
});

test('a comment on either part is sent about the whole change, and stays when the part changes', () => {
  const at = pressed(sampleDiff({ since: since() }), ['J', 'j'], SIZE);
  const { diff: asked } = updateDiff(at, { kind: 'key', key: 'c' }, SIZE);
  const commented = withComment({ ...asked, asked: asked.asked && { ...asked.asked, id: 'one' } }, 'Again');
  const note = { at: 'src/a.ts:2', text: `(about the removed line 2 "const greeting = 'hallo';") Again` };
  expect(toNotes(commented)).toEqual([note]);
  const whole = pressed(pressed(sampleDiff({ since: since() }), ['t'], SIZE), ['G'], SIZE);
  const { diff: deleted } = updateDiff(whole, { kind: 'key', key: 'c' }, SIZE);
  const kept = pressed(withComment({ ...deleted, asked: deleted.asked && { ...deleted.asked, id: 'two' } }, 'Keep'), ['t'], SIZE);
  expect(screen(kept)).toContain('which is not shown here');
  expect(toNotes(kept)).toEqual([{ at: 'src/gone.ts:2', text: '(about the removed line 2 "two") Keep' }]);
});

test('newer work keeps the part that is shown, and work after another rejection begins with what changed', () => {
  const whole = pressed(sampleDiff({ since: since() }), ['t'], SIZE);
  const newer = { ...whole.shown, diff: SAMPLE_DIFF.replace('hello', 'hi') };
  expect(refreshDiff(whole, newer).scope).toBe('whole');
  expect(refreshDiff(whole, { ...newer, since: since({ reviewed: 'c'.repeat(40) }) } as typeof newer).scope).toBe('since');
});

test.each([
  ['nothing has changed', since({ diff: '', files: [] }), 'Nothing has changed since your last review. t: the whole change'],
  ['it cannot be compared', since({ diff: null, files: [] }), 'all of it: not comparable with your last review'],
])('%s', (_, given, words) => {
  const diff = sampleDiff({ since: given });
  expect(screen(diff)).toContain(words);
  expect(screen(diff)).toContain('Why one?');
});

test('work that nobody had seen is shown as a whole, without a word about a review', () => {
  expect(screen(sampleDiff({ since: since({ reviewed: null, diff: null }) }))).not.toContain('last review');
});

test('a remark about a brace stands at another brace neither in what changed nor in the whole change', () => {
  const notes = [{ at: 'src/a.ts:8', text: 'Close it', quoted: '}' }];
  const diff = DIFF.replace(' // the end', ' }');
  const opened = sampleDiff({ since: since({ notes, diff }) });
  expect(screen(opened)).toMatch(/You said of line 8 "}" of src\/a\.ts, where nothing/);
  expect(screen(pressed(opened, ['t'], SIZE))).toContain('You said of line 8 "}" of src/a.ts');
});
