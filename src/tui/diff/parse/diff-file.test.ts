import { expect, test } from 'vitest';
import type { ReviewedFile } from '../../../workers/review/review-result.ts';
import { diffFiles } from './diff-file.ts';

const file = (path: string, parts: Partial<ReviewedFile> = {}): ReviewedFile => ({
  path,
  status: 'M',
  added: 0,
  removed: 0,
  binary: false,
  before: null,
  after: null,
  ...parts,
});

const patch = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

test('the counts of a hunk decide where it ends: lines that look like headers are content', () => {
  const diff = patch(
    'diff --git a/x.ts b/x.ts',
    '--- a/x.ts',
    '+++ b/x.ts',
    '@@ -1,3 +1,4 @@',
    '--- a/harmless.ts',
    '+++ b/harmless.ts',
    '+@@ -1 +1 @@',
    ' diff --git a/y b/y',
    ' last',
    'diff --git a/z b/z',
    'new file mode 100644',
  );
  const [first, second, ...others] = diffFiles(diff, []);
  expect(others).toEqual([]);
  expect(first?.hunks[0]?.lines).toEqual([
    { sign: '-', text: '-- a/harmless.ts', before: 1, after: undefined },
    { sign: '+', text: '++ b/harmless.ts', before: undefined, after: 1 },
    { sign: '+', text: '@@ -1 +1 @@', before: undefined, after: 2 },
    { sign: ' ', text: 'diff --git a/y b/y', before: 2, after: 3 },
    { sign: ' ', text: 'last', before: 3, after: 4 },
  ]);
  expect(second).toMatchObject({ path: 'z', status: 'A', notes: ['An empty file'] });
});

test.each([
  [
    'a rename',
    ['diff --git a/a b c b/d e', 'similarity index 100%', 'rename from a b c', 'rename to d e'],
    { path: 'd e', from: 'a b c', status: 'R', notes: ['Renamed from a b c'] },
  ],
  [
    'a new mode',
    ['diff --git a/run me b/run me', 'old mode 100644', 'new mode 100755'],
    { path: 'run me', notes: ['Mode 100644 → 100755'] },
  ],
  [
    'a binary file',
    ['diff --git a/i.png b/i.png', 'index 1..2 100644', 'Binary files a/i.png and b/i.png differ'],
    { path: 'i.png', notes: ['Binary: no lines to show'] },
  ],
  [
    'a submodule',
    [
      'diff --git a/s b/s',
      'index 1111111..2222222 160000',
      '--- a/s',
      '+++ b/s',
      '@@ -1 +1 @@',
      '-Subproject commit 1',
      '+Subproject commit 2',
    ],
    { path: 's', notes: ['The commit of a submodule'], added: 1, removed: 1 },
  ],
  ['a quoted name', ['diff --git "a/\\303\\244\\t\\"b" "b/\\303\\244\\t\\"b"', 'old mode 100644', 'new mode 100755'], { path: 'ä\t"b' }],
  [
    'a name with blanks',
    ['diff --git a/x y b/x y', '--- a/x y\t', '+++ b/x y\t', '@@ -1 +1 @@', '-1', '+2'],
    { path: 'x y', added: 1, removed: 1 },
  ],
  [
    'a quoted name with blanks',
    ['diff --git "a/\\303\\244 b" "b/\\303\\244 b"', '--- "a/\\303\\244 b"\t', '+++ "b/\\303\\244 b"\t', '@@ -1 +1 @@', '-1', '+2'],
    { path: 'ä b', added: 1, removed: 1 },
  ],
  [
    'Windows line ends',
    ['diff --git a/w b/w', '--- a/w', '+++ b/w', '@@ -1 +1 @@', '-1\r', '+2\r'],
    { isWindows: true, notes: ['Every line ends with CR LF'] },
  ],
] as const)('%s', (_, lines, expected) => {
  expect(diffFiles(patch(...lines), [])).toMatchObject([expected]);
});

test('a combined diff counts the lines of each parent', () => {
  const diff = patch(
    'diff --cc x',
    'index 1,2..3',
    '--- a/x',
    '+++ b/x',
    '@@@ -1,2 -1,1 +1,3 @@@',
    '  same',
    '++both',
    '- other',
    ' +mine',
    'diff --git a/z b/z',
    'new file mode 100644',
  );
  const [first, second] = diffFiles(diff, []);
  expect(first?.hunks[0]?.lines.map(({ sign, text, after }) => [sign, text, after])).toEqual([
    [' ', 'same', 1],
    ['+', 'both', 2],
    ['-', 'other', undefined],
    ['+', 'mine', 3],
  ]);
  expect(second?.path).toBe('z');
});

test('a file whose lines the diff leaves out keeps its place, and its name is not taken by one that ends alike', () => {
  const diff = patch('diff --git b/x b/x', '--- b/x', '+++ b/x', '@@ -1 +1,2 @@', '-1', '+2', '+3');
  const files = [file('a'), file('b/x', { added: 2, removed: 1 }), file('x', { added: 9 })];
  expect(diffFiles(diff, files).map(({ path, hunks }) => [path, hunks.length])).toEqual([
    ['a', 0],
    ['b/x', 1],
    ['x', 0],
  ]);
});

test('a file that changes its type is shown twice', () => {
  const diff = patch(
    'diff --git a/l b/l',
    'deleted file mode 100644',
    '--- a/l',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-x',
    'diff --git a/l b/l',
    'new file mode 120000',
    '--- /dev/null',
    '+++ b/l',
    '@@ -0,0 +1 @@',
    '+/etc/passwd',
    '\\ No newline at end of file',
  );
  expect(diffFiles(diff, [file('l', { status: 'T', added: 1, removed: 1 })]).map(({ path, status }) => [path, status])).toEqual([
    ['l', 'D'],
    ['l', 'A'],
  ]);
});

test('sections that are about no listed file are shown under the name that git printed', () => {
  const diff = patch('diff --git a/one b/one', '--- a/one', '+++ b/one', '@@ -1 +1 @@', '-1', '+2');
  expect(diffFiles(diff, [file('two')]).map(({ path }) => path)).toEqual(['one', 'two']);
});
