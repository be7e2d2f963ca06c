import { describe, expect, test } from 'vitest';
import { visibleIn } from '../../base/visible-text.ts';
import type { Proof } from '../../proof/proof.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import { warningLines } from '../../workers/review/text/warning-text.ts';
import { diffForPeople } from './diff-text.ts';
import { mayLand, nextCommands } from './next-commands.ts';
import { reviewBody, reviewHead } from './review-text.ts';

const DISPLAY = { color: false, columns: 60, atRoot: (text: string) => text };

const RESULT: ReviewResult = {
  kind: 'work',
  answer: null,
  worker: 'adam',
  branch: 'llmc/adam',
  worktree: '/root/.worktrees/adam',
  base: 'a'.repeat(40),
  head: 'b'.repeat(40),
  task: null,
  summary: null,
  formatted: null,
  commits: [{ commit: 'b'.repeat(40), subject: 'Add a' }],
  message: 'Add a',
  author: 'Ada <ada@example.test>',
  files: [{ path: 'a', status: 'A', added: 1, removed: 0, binary: false, before: null, after: 'c'.repeat(40) }],
  stat: ' a | 1 +\n 1 file changed, 1 insertion(+)\n',
  diff: '',
  uncommitted: [],
  warnings: [],
  validation: null,
  validation_commands: 0,
  proof: null,
  rescue: null,
  conflicts: [],
  not_compared: [],
  chosen_place: null,
  run_branch: null,
  draft_comments: 0,
  since: null,
  agent_message: '',
  message_edit: 'none',
  waiting: [],
  attention: null,
  attention_kind: null,
};

const section = (...lines: string[]) =>
  `diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ f()\n${lines.join('\n')}\n`;

test('the lines of a diff get the colours of llmc, and those in the content are shown as codes', () => {
  const painted = diffForPeople(section(' kept', '-old', '+new \u001b[8mhidden\u001b[0m'), true);
  expect(painted.split('\n')).toEqual([
    '\u001b[1mdiff --git a/x b/x\u001b[22m',
    '\u001b[1mindex 1..2 100644\u001b[22m',
    '\u001b[1m--- a/x\u001b[22m',
    '\u001b[1m+++ b/x\u001b[22m',
    '\u001b[36m@@ -1,2 +1,2 @@\u001b[39m f()',
    ' kept',
    '\u001b[31m-old\u001b[39m',
    '\u001b[32m+new <U+001B>[8mhidden<U+001B>[0m\u001b[39m',
    '',
  ]);
});

test('without colours, a harmless diff is printed as git printed it', () => {
  const diff = section(' kept', '-old', '+++ looks like a header', '+@@ -1 +1 @@', '\\ No newline at end of file') + section('+two');
  expect(diffForPeople(diff, false)).toBe(diff);
});

test('misleading characters are shown by their codes', () => {
  expect(diffForPeople(section('+if (\u202eadmin) pаy(\u200b)'), false)).toContain('+if (<U+202E>admin) p<U+0430>y(<U+200B>)');
});

test('mixed line ends are shown, and a file of Windows is named once', () => {
  expect(diffForPeople(section(' one\r', '+two', '+three\r'), false)).toContain(' one<U+000D>\n+two\n+three<U+000D>\n');
  expect(diffForPeople(section(' one\r', '+two\r'), false)).toContain(
    '+++ b/x\n(every line ends with CR LF)\n@@ -1,2 +1,2 @@ f()\n one\n+two\n',
  );
});

test('neither a subject nor a message nor a file name can forge a line of the review', () => {
  const forged = {
    ...RESULT,
    message: 'Add a\u001b[2J\n\n! forged\n a | 0\ndiff --git a/x b/x',
    uncommitted: ['a\nllmc accept adam', 'b'],
    task: 'Add a\nllmc accept adam',
    summary: 'Done\n! forged\n\u001b[2J',
  };
  // As `llmc review` does: every text is made visible first.
  const result = visibleIn(forged);
  expect(reviewHead(result, DISPLAY).split('\n')).toEqual([
    'adam: Add a<U+001B>[2J (bbbbbbbbbbbb on aaaaaaaaaaaa)',
    'Not committed: a ⏎ llmc accept adam, b',
    'Task: Add a ⏎ llmc accept adam',
    'Summary: Done ⏎ ! forged ⏎ <U+001B>[2J',
    '1 commit, 1 file, +1 -0',
  ]);
  expect(reviewBody(result, false)).toBe(
    `Author: Ada <ada@example.test>\n\n    Add a<U+001B>[2J\n\n    ! forged\n     a | 0\n    diff --git a/x b/x\n\n${RESULT.stat}\n`,
  );
});

test('the head is short at 60 columns: what needs the person first, then the task and at most three lines of the summary', () => {
  const lines = reviewHead(
    {
      ...RESULT,
      attention: 'Not landed: npm test failed.',
      attention_kind: 'not_landed',
      task: 'Add a parser for the configuration, with errors that name line and column',
      summary: `I added the parser. ${'It reads every table and reports what it does not know. '.repeat(9)}`,
      commits: [
        { commit: 'c'.repeat(40), subject: 'Add a' },
        { commit: 'b'.repeat(40), subject: 'Add b' },
      ],
      conflicts: [
        { with: 'main', kind: 'main', files: ['a'] },
        { with: 'zoe', kind: 'worker', files: ['a', 'b', 'c', 'd', 'e', 'f', 'g\u202e'] },
      ],
      not_compared: ['sam'],
      warnings: [{ kind: 'binary', files: ['logo.png'], count: 1 }],
    },
    DISPLAY,
  ).split('\n');
  expect(lines).toEqual([
    'adam: Add a (bbbbbbbbbbbb on aaaaaaaaaaaa)',
    '! Not landed: npm test failed.',
    '! It conflicts with main in a.',
    '! It will conflict with zoe in a, b, c, d, e and 2 more: the one that lands second has to resolve that.',
    '! Not compared with the work of sam.',
    '! not shown, because the content is binary: logo.png',
    'Task: Add a parser for the configuration, with errors that …',
    'Summary: I added the parser. It reads every table and',
    '  reports what it does not know. It reads every table and',
    '  reports what it does not know. It reads every table and …',
    '2 commits, 1 file, +1 -0',
  ]);
});

test('a conflict with main that the first line names is not said twice', () => {
  const conflicting = { ...RESULT, attention_kind: 'conflict', attention: 'Its commit conflicts.' } as const;
  const head = reviewHead({ ...conflicting, conflicts: [{ with: 'main', kind: 'main', files: ['a'] }] }, DISPLAY);
  expect(head.split('\n')).toEqual([expect.stringContaining('adam: Add a'), '! Its commit conflicts.', '1 commit, 1 file, +1 -0']);
});

test('the result of the validation is that of these very files, and a failure needs the person', () => {
  const passed = { passed: true, failed_line: null, reason: null, log: '/root/logs/a', took_ms: 41_000, at_unix: 1 };
  const about = (changes: Partial<ReviewResult>) =>
    reviewHead({ ...RESULT, validation_commands: 1, ...changes }, DISPLAY)
      .split('\n')
      .slice(1);
  expect(about({})).toEqual(['1 commit, 1 file, +1 -0, not validated yet']);
  expect(about({ validation: passed })).toEqual(['1 commit, 1 file, +1 -0, validated (41s)']);
  expect(about({ validation: { ...passed, passed: false, failed_line: 'npm test', reason: 'status 1' } })).toEqual([
    '! Validation failed for these files: npm test: status 1. Its output: /root/logs/a',
    '1 commit, 1 file, +1 -0, validation failed',
  ]);
});

test('several commits are listed, because they become one', () => {
  const commits = ['c', 'b'].map((id) => ({ commit: id.repeat(40), subject: `Add ${id}` }));
  expect(reviewBody({ ...RESULT, commits }, false)).toContain(
    'Author: Ada <ada@example.test>\nCommits that become one:\n    cccccccccccc Add c\n    bbbbbbbbbbbb Add b\n\n    Add a\n',
  );
});

describe('the commands after a review', () => {
  const back = 'llmc reject --worker adam "…"';
  const proof = (stops: Proof['stops'], unexplained: number): Proof => ({
    stops,
    dropped: [],
    resurrected: [],
    replaced: [],
    added: [],
    notes: [],
    counts: { files: 1, dropped: 0, resurrected: 0, replaced: 0, added: 0, unexplained },
  });

  test.each<[string, Partial<ReviewResult>, boolean, string]>([
    ['clean work', {}, true, `llmc accept adam   or   ${back}`],
    ['a conflict with main', { attention_kind: 'conflict' }, false, `llmc rebase adam   or   ${back}`],
    ['a conflict that was given up', { attention_kind: 'conflict_given_up' }, false, `llmc rebase adam   or   ${back}`],
    ['a predicted conflict', { conflicts: [{ with: 'main', kind: 'main', files: ['a'] }] }, false, `llmc rebase adam   or   ${back}`],
    ['uncommitted files', { uncommitted: ['a'] }, false, 'llmc reject --worker adam "Commit or remove the remaining changes"'],
    ['lost lines', { proof: proof([], 2) }, true, `llmc accept adam --allow-dropped   or   ${back}`],
    ['markers that are left', { proof: proof([{ kind: 'empty_change' }], 0) }, false, back],
    [
      'more work in the queue',
      { waiting: ['eve', 'zoe'] },
      true,
      `llmc accept adam   or   ${back}\n2 more to review (eve, zoe): llmc review --next`,
    ],
  ])('%s', (_, changes, lands, expected) => {
    expect(nextCommands({ ...RESULT, ...changes })).toBe(expected);
    expect(mayLand({ ...RESULT, ...changes })).toBe(lands);
  });
});

test('a warning says where and what', () => {
  expect(
    warningLines([
      { kind: 'control', file: null, lines: [1], count: 1, characters: ['U+001B', 'U+0007'] },
      { kind: 'reordering', file: 'src/a.ts', lines: [12], count: 1, characters: ['U+202E'] },
      { kind: 'hidden', file: 'src/a.ts', lines: [12, 14, 15], count: 3, characters: ['U+200B'] },
      { kind: 'look_alike', file: 'src/a.ts', lines: [9, 10], count: 2, words: ['pаypal'] },
      { kind: 'misleading_name', file: 'pаss\nword', resembles: null },
      { kind: 'misleading_name', file: 'modem.ts', resembles: 'modern.ts' },
      { kind: 'link', file: 'l', target: '/etc/passwd\u001b[2J', outside: true },
      { kind: 'submodule', file: 'lib', before: null, after: 'c'.repeat(40) },
      { kind: 'mode', file: 'run.sh', before: '100644', after: '100755' },
      { kind: 'mode', file: 'run.sh', before: '100755', after: '100644' },
      { kind: 'mode', file: 'l', before: '120000', after: '100644' },
      { kind: 'notable', file: 'package.json', about: 'runs', rule: 'package', found: ['scripts.postinstall'], is: 'changed' },
      { kind: 'notable', file: '.gitattributes', about: 'git', rule: 'git settings', found: [], is: 'deleted' },
      { kind: 'notable', file: 'a/package.json', about: 'runs', rule: 'package', found: ['scripts.prepare'], is: 'added' },
      { kind: 'binary', files: ['logo.png', 'b'], count: 2 },
      { kind: 'omitted', files: ['large'], count: 30 },
    ]),
  ).toEqual([
    '! the commit message:1: control characters, shown by their codes: U+001B, U+0007',
    '! src/a.ts:12: characters that reorder the text, shown by their codes: U+202E',
    '! src/a.ts:12 and 2 more lines: invisible characters, shown by their codes: U+200B',
    '! src/a.ts:9 and 1 more line: letters of another alphabet that look Latin: p<U+0430>ypal',
    '! p<U+0430>ss ⏎ word: the name of this file has characters that mislead',
    '! modem.ts: this name can be mistaken for modern.ts',
    '! l: a symbolic link to /etc/passwd<U+001B>[2J, outside the repository',
    '! lib: the commit of a submodule, none → cccccccccccc',
    '! run.sh: executable',
    '! run.sh: no longer executable',
    '! l: another type of file than before (120000 → 100644)',
    '! package.json, a/package.json (added): an installation or a script of npm runs it: scripts.postinstall, scripts.prepare',
    '! .gitattributes (deleted): git obeys this file: it names filters, drivers, addresses or commands',
    '! not shown, because the content is binary: logo.png, b',
    '! not shown, because the diff is too long: large and 29 more files',
  ]);
});

test('a flood of warnings is cut, with their number, and many files of one rule take one line', () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ kind: 'misleading_name' as const, file: `${index}`, resembles: null }));
  expect(warningLines(many)).toHaveLength(26);
  expect(warningLines(many).at(-1)).toBe('! 75 more warnings: llmc review --json');
  const attributes = Array.from({ length: 100 }, (_, index) => ({
    kind: 'notable' as const,
    file: `${index}/.gitattributes`,
    about: 'git' as const,
    rule: 'git settings' as const,
    found: [],
    is: 'changed' as const,
  }));
  expect(warningLines(attributes)).toEqual([expect.stringMatching(/^! 0\/.gitattributes, .* and 95 more files: git obeys this file/)]);
});

test('work that main has already is said to be so, without an author and a message that are empty', () => {
  const nothing = { ...RESULT, commits: [], files: [], message: '', author: '', stat: '' };
  expect(reviewHead(nothing, DISPLAY)).toContain('Nothing to land: this work changes nothing on main. Settle it: llmc accept adam');
  expect(reviewBody(nothing, false)).toBe('');
});

test('the review of a landing that failed in its validation says so once', () => {
  const validation = { passed: false, failed_line: 'npm test', reason: 'exit status 1', log: '/logs/adam.txt', took_ms: 1, at_unix: 1 };
  const attention = 'Not landed: "npm test" failed for adam: exit status 1. Show the diff: llmc review adam';
  const head = reviewHead({ ...RESULT, validation, validation_commands: 1, attention, attention_kind: 'not_landed' }, DISPLAY);
  expect(head.split('\n').filter((line) => line.startsWith('!'))).toEqual([
    '! Not landed: the validation failed for these files: npm test: exit status 1. Its output: /logs/adam.txt',
  ]);
  expect(reviewHead({ ...RESULT, attention, attention_kind: 'not_landed' }, DISPLAY)).toContain(`! ${attention}`);
});

test('what llmc formatted stands in the head, with names of files that cannot pass for lines of llmc', () => {
  const files = ['a.txt', 'x\n! It conflicts\u001b[2J', 'c', 'd', 'e', 'f', 'g'];
  expect(reviewHead({ ...RESULT, formatted: { lines: ['prettier --write .'], files } }, DISPLAY)).toContain(
    'Formatted by prettier --write .: a.txt, x ⏎ ! It conflicts<U+001B>[2J, c, d, e and 2 more\n',
  );
});
