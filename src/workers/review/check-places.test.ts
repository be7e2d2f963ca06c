import { expect, test } from 'vitest';
import type { ChangedFile } from '../../git/changed-files.ts';
import type { Change } from '../../git/diff.ts';
import { checkPlaces } from './check-places.ts';

const aFile = (path: string): ChangedFile => ({
  path,
  status: 'M',
  modes: { before: '100644', after: '100644' },
  hashes: { before: 'a', after: 'b' },
  binary: false,
  added: 1,
  removed: 1,
  onlyWhitespace: false,
});

const [a, gone, logo, long] = [aFile('src/a.ts'), aFile('src/gone.ts'), aFile('logo.png'), aFile('long.txt')];
const CHANGE: Change = {
  files: [a, gone, logo, long],
  stat: '',
  sections: [
    { file: a, text: 'diff --git a/src/a.ts b/src/a.ts\n@@ -9,3 +9,3 @@ f()\n kept\n-old\n+new\n\n@@ -40 +40,2 @@\n one\n+two\n' },
    { file: gone, text: 'diff --git a/src/gone.ts b/src/gone.ts\ndeleted file mode 100644\n@@ -1,2 +0,0 @@\n-one\n-two\n' },
    { file: logo, text: 'diff --git a/logo.png b/logo.png\nBinary files differ\n' },
  ],
  omitted: ['long.txt'],
};

const check = (at: string) => () => checkPlaces('adam', CHANGE, [{ at, text: 'Off by one' }]);

test.each([
  ['a changed line', 'src/a.ts:10'],
  ['a line that is shown around a change', 'src/a.ts:9'],
  ['the second place of a file', 'src/a.ts:41'],
  ['a line of a deleted file', 'src/gone.ts:2'],
  ['a binary file', 'logo.png:1'],
  ['a file whose lines are left out', 'long.txt:9000'],
])('a remark may be on %s', (_, at) => {
  expect(check(at)).not.toThrow();
});

test.each([
  ['a line between the places', 'src/a.ts:30', 'the diff of adam does not show line 30 of src/a.ts; the nearest is line 40', 'src/a.ts:40'],
  ['line 0', 'src/a.ts:0', 'the diff of adam does not show line 0 of src/a.ts; the nearest is line 9', 'src/a.ts:9'],
  [
    'a line after a deleted file',
    'src/gone.ts:3',
    'the diff of adam does not show line 3 of src/gone.ts; the nearest is line 2',
    'src/gone.ts:2',
  ],
  ['a misspelt file', 'src/aa.ts:10', 'src/aa.ts is not in the diff of adam', 'src/a.ts:10'],
  ['a file without its folder', 'gone.ts:1', 'gone.ts is not in the diff of adam', 'src/gone.ts:1'],
])('a remark on %s is refused, and the nearest place is named', (_, at, message, instead) => {
  const hint = `llmc reject --worker adam --at ${instead} 'Off by one'`;
  expect(check(at)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', message, hint }));
});

test('a remark on a file that is like no other names the list of files', () => {
  expect(check('elsewhere/entirely.py:1')).toThrow(expect.objectContaining({ hint: 'llmc review adam --stat' }));
});
