import { expect, test } from 'vitest';
import { withComment } from '../comments/notes.ts';
import { openDiff } from '../diff-view.ts';
import { refreshDiff } from '../refresh.ts';
import { pressed, SAMPLE_DIFF, sampleDiff, sampleWork, toPlainLines } from '../samples.ts';
import { updateDiff } from '../update-diff.ts';
import { drawDiff } from './draw-diff.ts';

const SIZE = { columns: 60, rows: 20 };

test('the head, the file, its hunks and lines with the numbers of both sides', () => {
  expect(toPlainLines(drawDiff(sampleDiff(), SIZE))).toEqual([
    'Task: Fix the greeting',
    '1 commit, 2 files, +2 -4',
    '1/2  M src/a.ts +2 -2',
    '>M src/a.ts +2 -2',
    ' @@ -1,4 +1,4 @@ function greet',
    '   1   1  const before = 1;',
    "   2     -const greeting = 'helo';",
    "       2 +const greeting = 'hello';",
    '   3   3  // the end',
    '   4     -export {}; (no line feed at the end)',
    '       4 +export { greeting }; (no line feed at the end)',
    ' D src/gone.ts +0 -2',
    ' @@ -1,2 +0,0 @@',
    '   1     -one',
    '   2     -two',
    '',
    '',
    '',
    '',
    '',
  ]);
});

test('selected lines have a mark, also a single one, and the title counts them', () => {
  const drawn = (...keys: readonly string[]) => toPlainLines(drawDiff(pressed(sampleDiff(), ['j', 'j', ...keys], SIZE), SIZE)).slice(2, 8);
  const marks = (lines: readonly string[]) => lines.slice(1).map((line) => line[0]);
  expect([marks(drawn()), drawn()[0]]).toEqual([[' ', ' ', '>', ' ', ' '], '1/2  M src/a.ts +2 -2']);
  expect([marks(drawn('v')), drawn('v')[0]]).toEqual([[' ', ' ', '*', ' ', ' '], '1/2 · 1 selected  M src/a.ts +2 -2']);
  expect([marks(drawn('v', 'j')), drawn('v', 'j')[0]]).toEqual([[' ', ' ', '*', '*', ' '], '1/2 · 2 selected  M src/a.ts +2 -2']);
  expect(drawn('v', 'v')).toEqual(drawn());
});

test('changed words are inverse, added lines have the colours of their language, removed ones are red', () => {
  const lines = drawDiff(sampleDiff(), SIZE);
  expect(lines[6]?.slice(3)).toEqual([
    { text: "const greeting = '", style: { color: 'red' } },
    { text: 'helo', style: { color: 'red', inverse: true } },
    { text: "';", style: { color: 'red' } },
  ]);
  expect(lines[7]?.slice(3)).toEqual([
    { text: 'const', style: { color: 'magenta' } },
    { text: ' greeting = ', style: { color: 'green' } },
    { text: "'", style: { color: 'yellow' } },
    { text: 'hello', style: { color: 'green', inverse: true } },
    { text: "'", style: { color: 'yellow' } },
    { text: ';', style: { color: 'green' } },
  ]);
});

test('wide: the files are on the left, old and new lines beside each other', () => {
  const lines = toPlainLines(drawDiff(sampleDiff(), { columns: 160, rows: 14 })).map((line) => line.replace(/ {2,}/g, '  '));
  expect(lines.slice(2, 13)).toEqual([
    ' ▾ src/  │1/2  M src/a.ts +2 -2',
    '>  M a.ts +2 -2  │>M src/a.ts +2 -2',
    '  D gone.ts +0 -2  │ @@ -1,4 +1,4 @@ function greet',
    '  │  1  const before = 1;  │  1  const before = 1;',
    "  │  2 -const greeting = 'helo';  │  2 +const greeting = 'hello';",
    '  │  3  // the end  │  3  // the end',
    '  │  4 -export {}; (no line feed at the end)  │  4 +export { greeting }; (no line feed at the end)',
    '  │ D src/gone.ts +0 -2',
    '  │ @@ -1,2 +0,0 @@',
    '  │  1 -one  │',
    '  │  2 -two  │',
  ]);
});

test('what an agent wrote reaches no terminal as an escape sequence, and reorders nothing', () => {
  const diff = SAMPLE_DIFF.replaceAll('hello', '\u001b[2J\u202e\u0007hidden').replaceAll('src/a.ts', 'src/\u202eа.ts');
  const text = toPlainLines(drawDiff(openDiff(sampleWork({ diff, task: 'a\u001b]0;x\u0007' })), SIZE)).join('\n');
  expect(text).not.toMatch(/[\u001b\u202e\u0007]/);
  expect(text).toContain('<U+001B>[2J<U+202E><U+0007>hidde\n         ↳n');
});

test('a line of a megabyte is wrapped to half the screen, and says what is left out', () => {
  const diff = SAMPLE_DIFF.replace('hello', 'x'.repeat(1_000_000));
  const view = openDiff(sampleWork({ diff }));
  expect(toPlainLines(drawDiff(view, SIZE)).filter((line) => /… 99\d{4} more characters: W/.test(line))).toHaveLength(1);
  const cut = pressed(view, ['W', 'right'], SIZE);
  expect(toPlainLines(drawDiff(cut, SIZE))[8]).toBe(`       2 +eeting = '${'x'.repeat(39)}…`);
});

test('comments are drawn under their line, and the title counts them', () => {
  const view = pressed(sampleDiff(), ['j', 'j', 'j', 'j', 'j'], SIZE);
  const { wish, diff } = updateDiff(view, { kind: 'key', key: 'c' }, SIZE);
  expect(wish).toEqual({ kind: 'comment', at: 'src/a.ts:3' });
  const lines = toPlainLines(drawDiff(withComment(diff, 'Why?\nReally'), SIZE));
  expect(lines[2]).toBe('1/2 · 1 comment  M src/a.ts +2 -2');
  expect(lines.slice(8, 11)).toEqual(['>  3   3  // the end', '  │ Why?', '  │ Really']);
});

test('o opens the whole head, what blocks an accept first', () => {
  const view = sampleDiff({
    uncommitted: ['left.ts'],
    summary: 'Fixed the greeting. '.repeat(20),
    warnings: [1, 2, 3, 4].map((at) => ({ kind: 'mode', file: `${at}.yml`, before: '100644', after: '100755' })),
    validation: { passed: false, failed_line: 'npm test', reason: 'exited with status 1', log: '/tmp/log', took_ms: 1, at_unix: 1 },
    validation_commands: 1,
  });
  expect(toPlainLines(drawDiff(view, SIZE)).slice(0, 5)).toEqual([
    'Not committed: left.ts',
    '! Validation failed for these files: npm test: exited with …',
    '! 1.yml: executable',
    'Task: Fix the greeting',
    '1 commit, 2 files, +2 -4, validation failed · 4 more: o',
  ]);
  expect(toPlainLines(drawDiff(view, { columns: 60, rows: 6 })).slice(0, 2)).toEqual([
    'Not committed: left.ts',
    '1 commit, 2 files, +2 -4, validation failed · 7 more: o',
  ]);
  expect(toPlainLines(drawDiff(view, { columns: 30, rows: 5 }))[0]).toBe('Not committed: le… · 8 more: o');
  const whole = toPlainLines(drawDiff(pressed(view, ['o'], SIZE), SIZE));
  expect(whole.filter((line) => line.startsWith('! '))).toHaveLength(5);
  expect(toPlainLines(drawDiff(pressed(view, ['o', 'G'], SIZE), SIZE)).slice(-5)).toEqual([
    'Author: Ada <ada@example.com>',
    '',
    '    Fix the greeting',
    '',
    '    It was misspelt.',
  ]);
  expect(whole.join(' ').match(/greeting\./g)?.length).toBeGreaterThan(10);
});

test('work without lines says that nothing changed', () => {
  expect(toPlainLines(drawDiff(openDiff(sampleWork()), SIZE))).toContain('No changes.');
});

test('an answer is shown as Markdown, whole, and scrolls', () => {
  const text = `# The cache\n\nIt is **slow**.\n\n${'word '.repeat(200)}end`;
  const answer = { text, source: 'message', cut: true, task: 1, at_unix: 1 } as const;
  const view = openDiff(sampleWork({ kind: 'answer', answer, commits: [] }));
  const lines = toPlainLines(drawDiff(view, SIZE));
  expect(lines.slice(0, 7)).toEqual([
    '! llmc has only the beginning of the answer.',
    'adam: an answer',
    'Task: Fix the greeting',
    '',
    '  The cache',
    '  ─────────',
    '',
  ]);
  expect(toPlainLines(drawDiff(pressed(view, ['G'], SIZE), SIZE)).at(-1)).toMatch(/word end$/);
});

test('an answer that arrives while the pane is open is shown, and leaves it again', () => {
  const answer = { text: 'It is 42.', source: 'message', cut: false, task: 1, at_unix: 1 } as const;
  const arrived = refreshDiff(openDiff(sampleWork()), sampleWork({ kind: 'answer', answer }));
  expect(toPlainLines(drawDiff(arrived, SIZE))).toContain('  It is 42.');
  expect(toPlainLines(drawDiff(refreshDiff(arrived, sampleWork()), SIZE))).toContain('No changes.');
});
