import { expect, test } from 'vitest';
import type { ChangedFile } from '../../git/changed-files.ts';
import { NONE_NOTABLE, reviewWarnings } from './review-warnings.ts';

function aFile(path: string, changes: Partial<ChangedFile> = {}): ChangedFile {
  return {
    path,
    status: 'M',
    modes: { before: '100644', after: '100644' },
    hashes: { before: 'a'.repeat(40), after: 'b'.repeat(40) },
    binary: false,
    added: 1,
    removed: 0,
    onlyWhitespace: false,
    ...changes,
  };
}

/** The warnings about a file with these lines after its line 9. */
function about(file: ChangedFile, ...lines: string[]) {
  const text = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -9,2 +9,9 @@ f()\n context\n${lines.join('\n')}\n`;
  return reviewWarnings({ files: [file], stat: '', sections: [{ file, text }], omitted: [] }, 'Add x', NONE_NOTABLE);
}

test('lines that are added are searched, with their numbers; removed and kept ones are not', () => {
  expect(
    about(aFile('x'), '-\u202eold', ' \u200bkept', '+plain', '+if (\u202eadmin\u2066)', '+\u001b[2J', '+a\u200bb', '+let pаypal', '+x'),
  ).toEqual([
    { kind: 'control', file: 'x', lines: [13], count: 1, characters: ['U+001B'] },
    { kind: 'reordering', file: 'x', lines: [12], count: 1, characters: ['U+202E', 'U+2066'] },
    { kind: 'hidden', file: 'x', lines: [14], count: 1, characters: ['U+200B'] },
    { kind: 'look_alike', file: 'x', lines: [15], count: 1, words: ['pаypal'] },
  ]);
});

test('a file full of tricks gives one warning of each kind', () => {
  const lines = Array.from({ length: 1_000 }, () => '+\u200b');
  expect(about(aFile('x'), ...lines)).toMatchObject([{ kind: 'hidden', count: 1_000, lines: { length: 20 } }]);
});

test.each([
  ['a line end of Windows', '+one\r'],
  ['Russian', '+// это комментарий, а не код'],
  ['an emoji of several characters', "+say('👨‍👩‍👧 ❤️')"],
  ['Persian', '+می‌خواهم'],
])('%s is not a trick', (_, line) => {
  expect(about(aFile('x'), line)).toEqual([]);
});

test('the commit message is searched too', () => {
  const none = { files: [], stat: '', sections: [], omitted: [] };
  expect(reviewWarnings(none, 'Add a\n\n\u001b]52;c;\u0007', NONE_NOTABLE)).toEqual([
    { kind: 'control', file: null, lines: [3], count: 1, characters: ['U+001B', 'U+0007'] },
  ]);
});

test('links, submodules, modes, binary and omitted files are named', () => {
  const link = aFile('docs/l', { modes: { before: '000000', after: '120000' } });
  const section = { file: link, text: 'diff --git a/l b/l\n@@ -0,0 +1 @@\n+../../.ssh/id\n\\ No newline at end of file\n' };
  const files = [
    link,
    aFile('lib', { modes: { before: '160000', after: '160000' } }),
    aFile('run.sh', { modes: { before: '100644', after: '100755' } }),
    aFile('new.sh', { modes: { before: '000000', after: '100755' } }),
    aFile('gone.sh', { modes: { before: '100755', after: '000000' } }),
    aFile('logo.png', { binary: true }),
    aFile('p\u0430ss\u200b.txt'),
  ];
  expect(reviewWarnings({ files, stat: '', sections: [section], omitted: ['large.txt'] }, 'x', NONE_NOTABLE)).toEqual([
    { kind: 'link', file: 'docs/l', target: '../../.ssh/id', outside: true },
    { kind: 'submodule', file: 'lib', before: 'a'.repeat(40), after: 'b'.repeat(40) },
    { kind: 'misleading_name', file: 'p\u0430ss\u200b.txt', resembles: null },
    { kind: 'mode', file: 'run.sh', before: '100644', after: '100755' },
    { kind: 'mode', file: 'new.sh', before: '000000', after: '100755' },
    { kind: 'binary', files: ['logo.png'], count: 1 },
    { kind: 'omitted', files: ['large.txt'], count: 1 },
  ]);
});
