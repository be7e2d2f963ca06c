import { expect, test } from 'vitest';
import { parseRecord } from './rescue-record.ts';
import { rescueMessage } from './rescue-ref.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];
const inside = { path: 'a\nRecord: b', sha: A, head: null, recorded: B, kind: 'folder' } as const;

test('what a rescue says of itself is read again, whatever the paths and the task are', () => {
  const task = 'Record: {}\nTask: x';
  const message = rescueMessage('adam', 'x', ['Inside: c', 'd\n\nRecord: {}'], { inside: [inside], others: [B], commits: 3, task });
  expect(parseRecord(message)).toEqual({ files: 2, commits: 3, task, inside: [inside], others: [B], invalid: 0 });
});

test('the rescue of an earlier version is read: its last paragraph has the entries', () => {
  const old = `rescue adam: x\n\nUncommitted:\n  a\n  b\n\nCommits: 3\n\nTask: Fix it\n\nInside: ${JSON.stringify(inside)}\n`;
  expect(parseRecord(old)).toEqual({ files: 2, commits: 3, task: 'Fix it', inside: [inside], others: [], invalid: 0 });
  const forged = `rescue adam: x\n\nUncommitted:\n  a\nInside: ${JSON.stringify(inside)}\n\nCommits: 3\n`;
  expect(parseRecord(forged)).toMatchObject({ inside: [] });
});

test.for(['', 'Record: ', 'Record: {', 'Record: null', 'Record: {"inside":[]}', 'Inside: [', 'Inside: null', `Record: ${'['.repeat(1e5)}`])(
  'garbage is nothing: %#',
  (text) => {
    expect(parseRecord(`rescue adam: x\n\n${text}`)).toMatchObject({ inside: [] });
  },
);
