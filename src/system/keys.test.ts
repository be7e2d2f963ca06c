import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { askKey } from './keys.ts';

/** A terminal in a person's hand. */
class Keyboard extends EventEmitter {
  readonly modes: boolean[] = [];
  isPaused = true;
  setRawMode(mode: boolean): this {
    this.modes.push(mode);
    return this;
  }
  resume(): this {
    this.isPaused = false;
    return this;
  }
  pause(): this {
    this.isPaused = true;
    return this;
  }
  type(text: string): void {
    this.emit('data', Buffer.from(text));
  }
}

/** Asks for a or q. `before` happens before the question is there, `after` afterwards. */
async function asked(before: (keyboard: Keyboard) => void, after: (keyboard: Keyboard) => void) {
  const keyboard = new Keyboard();
  const clock = { sleep: async () => before(keyboard) };
  // A key in the same turn as the question is a key after it.
  const answer = askKey((isAgain) => void (isAgain || queueMicrotask(() => after(keyboard))), ['a', 'q'], keyboard, clock);
  return { answer: await answer, keyboard };
}

const nothing = () => undefined;

test.each([
  ['a key', 'a', { kind: 'key', key: 'a' }],
  ['a capital letter', 'Q', { kind: 'key', key: 'q' }],
  ['Ctrl+C', '\u0003', { kind: 'interrupted' }],
  ['Ctrl+D', '\u0004', { kind: 'closed' }],
])('%s is the answer, and the terminal is given back', async (_, typed, expected) => {
  const { answer, keyboard } = await asked(nothing, (person) => person.type(typed));
  expect(answer).toEqual(expected);
  expect(keyboard).toMatchObject({ modes: [true, false], isPaused: true });
  expect(keyboard.eventNames()).toEqual([]);
});

test('a key that was typed before the question decides nothing', async () => {
  const { answer } = await asked(
    (person) => person.type('a'),
    (person) => person.type('q'),
  );
  expect(answer).toEqual({ kind: 'key', key: 'q' });
});

test('other keys, a function key and a pasted text decide nothing', async () => {
  const { answer } = await asked(nothing, (person) => {
    for (const text of ['x', '\u001b[A', 'aa', '\n', 'a\n']) person.type(text);
    person.type('q');
  });
  expect(answer).toEqual({ kind: 'key', key: 'q' });
});

test('Ctrl+C counts also before the question', async () => {
  expect((await asked((person) => person.type('\u0003'), nothing)).answer).toEqual({ kind: 'interrupted' });
});

test('a terminal that is gone ends the question', async () => {
  expect((await asked(nothing, (person) => person.emit('end'))).answer).toEqual({ kind: 'closed' });
  expect((await asked(nothing, (person) => person.emit('error', new Error('EIO')))).answer).toEqual({ kind: 'closed' });
});
