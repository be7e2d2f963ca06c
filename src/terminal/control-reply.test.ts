import { describe, expect, test } from 'vitest';
import { type ControlReply, controlReader, quoteWord } from './control-reply.ts';

function read(...lines: readonly string[]): readonly ControlReply[] {
  const replies: ControlReply[] = [];
  const take = controlReader((reply) => replies.push(reply));
  for (const line of lines) take(line);
  return replies;
}

describe('the stream of a control client', () => {
  test('is split into replies, without the notifications between them', () => {
    const replies = read(
      '%begin 1 10 1',
      'first',
      '%end 1 10 1',
      '%session-changed $1 x',
      '%begin 1 11 1',
      'no such pane',
      '%error 1 11 1',
    );
    expect(replies).toEqual([
      { ok: true, lines: ['first'] },
      { ok: false, lines: ['no such pane'] },
    ]);
  });

  test('is not split by a screen that shows the end of another block', () => {
    expect(read('%begin 1 10 1', '%end 1 9 1', '%begin 2 2 2', '%error 9 9 9', '%end 1 10 1')).toEqual([
      { ok: true, lines: ['%end 1 9 1', '%begin 2 2 2', '%error 9 9 9'] },
    ]);
  });

  test('gives no reply for garbage or for a block that never ends', () => {
    expect(read('garbage', '%begin', '%begin x y z', '%end 1 2 3', '%begin 1 10 1', 'cut off')).toEqual([]);
  });
});

test.each([
  ['llmc-adam', 'llmc-adam'],
  ['=llmc-adam:', '=llmc-adam:'],
  ["it's", `'it'"'"'s'`],
  ['a; kill-server', "'a; kill-server'"],
  ['#{pane_pid}\t$HOME', "'#{pane_pid}\t$HOME'"],
])('the word %j is written as %j', (word, written) => {
  expect(quoteWord(word)).toBe(written);
});
