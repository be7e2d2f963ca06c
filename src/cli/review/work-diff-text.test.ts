import { expect, test } from 'vitest';
import type { DiffResult } from '../../workers/review/diff-work.ts';
import { workDiffBody, workDiffHead } from './work-diff-text.ts';

const RESULT: DiffResult = {
  worker: 'adam',
  branch: 'llmc/adam',
  worktree: '/r/.worktrees/adam',
  base: 'b'.repeat(40),
  head: 'a'.repeat(40),
  status: 'working',
  task: 'Fix it',
  summary: null,
  ignores_whitespace: false,
  commits: [{ commit: 'a'.repeat(40), subject: 'Begin \u001b[2J' }],
  files: [{ path: 'a', status: 'M', added: 2, removed: 1, binary: false, before: 'c', after: null }],
  stat: ' a | 3 ++-\n',
  diff: 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-x\n+\u001b]52;c;x\u0007\n+y\n',
  uncommitted: ['a', 'big\n! forged', 'many/'],
  left_out: [
    { path: 'big\n! forged', why: 'large' },
    { path: 'many/', why: 'many' },
  ],
  unread: ['error: open("x\u001b"): Permission denied'],
};

test('the head says what is committed, what is not, and what is not shown; an agent cannot forge a line of it', () => {
  const head = workDiffHead(RESULT, { color: false, columns: 80 });
  expect(head.split('\n')).toEqual([
    'adam is working: its work as it is now (aaaaaaaaaaaa on bbbbbbbbbbbb)',
    'Task: Fix it',
    'Commit aaaaaaaaaaaa: Begin <U+001B>[2J',
    'Not committed: a, big ⏎ ! forged, many/',
    '! Without the lines of big ⏎ ! forged: too large.',
    '! Without the lines of many/: too many new files.',
    '! Not read: error: open("x<U+001B>"): Permission denied',
    '1 file, +2 -1',
  ]);
});

test('the body has the files and the diff without control characters', () => {
  expect(workDiffBody(RESULT, false)).toBe(
    ' a | 3 ++-\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-x\n+<U+001B>]52;c;x<U+0007>\n+y\n',
  );
});

test('a worker without a change is said to have none', () => {
  const none = { ...RESULT, commits: [], files: [], stat: '', diff: '', uncommitted: [], left_out: [], unread: [], task: null };
  expect(workDiffHead(none, { color: false, columns: 80 })).toBe(
    'adam is working: its work as it is now (aaaaaaaaaaaa on bbbbbbbbbbbb)\nNo change.',
  );
  expect(workDiffBody(none, false)).toBe('');
});
