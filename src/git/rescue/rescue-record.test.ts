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

test.for(['', 'Record: ', 'Record: {', 'Record: null', 'Record: {"inside":[]}', 'Inside: [', 'Inside: null', `Record: ${'['.repeat(1e5)}`])(
  'garbage is nothing: %#',
  (text) => {
    expect(parseRecord(`rescue adam: x\n\n${text}`)).toMatchObject({ inside: [] });
  },
);
