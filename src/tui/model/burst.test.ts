import { expect, test } from 'vitest';
import { asking, aWorkerReport, Played, toReview } from '../samples.ts';
import { decodeKeys } from '../screen/decode-keys.ts';
import { readTogether } from './burst.ts';

/** What the terminal sends in one piece. */
function reads(played: Played, text: string): Played {
  for (const pressed of readTogether(played.view, decodeKeys(text).pressed))
    if (pressed.kind !== 'mouse') played.on({ kind: 'pressed', pressed });
  return played;
}

/** A person who types: a key each 120 ms. */
function types(played: Played, text: string): Played {
  for (const key of Array.from(text)) {
    played.now += 120;
    played.press(key === '\n' ? 'enter' : key);
  }
  return played;
}

const WORKERS = [toReview('adam'), asking('ben'), aWorkerReport('carl')];

test.each([
  'can you fix the login?\r',
  'now fix it\r',
  'fix the bug\rand then the other one\r',
  'update it, yes\ry\r',
  '12 of them\r',
  'nothing\rQ',
])('a sentence that comes at once is the text of a task, which waits: %j', (text) => {
  const played = reads(new Played(WORKERS).seesWork(), text);
  expect(played.asked).toEqual([]);
  expect(played.view.mode).toMatchObject({ kind: 'typing', asked: { kind: 'task' }, field: { text: text.replaceAll('\r', '\n') } });
});

test.each(['jjjjjj', 'Jjjjjc', 'Jjja', 'gj', 'aaaa', '\u001b[A\u001b[B\r', 'jn', '1\r'])('keys that come at once stay keys: %j', (text) => {
  const { pressed } = decodeKeys(text);
  expect(readTogether(new Played(WORKERS).view, pressed)).toEqual(pressed);
});

test.each([
  [':add adam\r', 'command', 'add adam'],
  ['/shop', 'filter', 'shop'],
])('no sentence begins like %j: the field opens with the text, which waits for an enter of its own', (text, kind, field) => {
  const played = reads(new Played(WORKERS), text);
  expect(played.asked).toEqual([]);
  expect(played.view.mode).toMatchObject({ kind: 'typing', asked: { kind }, field: { text: field } });
});

test('a read with several lines is text in a field, and one with its end is sent', () => {
  const lines = reads(new Played(WORKERS).press('n'), 'one\rtwo\r');
  expect(lines.view.mode).toMatchObject({ kind: 'typing', field: { text: 'one\ntwo\n' } });
  expect(reads(new Played(WORKERS).press('n'), 'one\r').asked).toEqual(['task']);
});

test.each([
  ['can you fix it?\n', 'task'],
  ['fix the login\n', 'message'],
])('what a person typed before a field was open sends nothing with the first enter: %j', (text, kind) => {
  const played = types(new Played([aWorkerReport('carl')]), text);
  expect(played.asked).toEqual([]);
  expect(played.view).toMatchObject({
    mode: { kind: 'typing', asked: { kind } },
    notice: { text: expect.stringContaining('Press enter again') },
  });
  // An enter that was on its way.
  played.now += 50;
  expect(played.press('enter').asked).toEqual([]);
  played.now += 300;
  expect(played.press('enter').asked).toEqual([kind]);
});

test.each(['fix the login', '\u001b[200~fix the login\u001b[201~'])(
  'a text that came while no field was open needs an enter that is meant for it: %j',
  (text) => {
    const played = reads(new Played([aWorkerReport('carl')]), text);
    // Who believes to be in another terminal presses enter as a person does.
    played.now += 2_000;
    expect(played.press('enter').asked).toEqual([]);
    expect(played.view.notice).toMatchObject({ text: expect.stringContaining('Press enter again') });
    played.now += 300;
    expect(played.press('enter').asked).toEqual(['task']);
  },
);

test('a key that moves, and a key long ago, do not count', () => {
  const played = new Played([aWorkerReport('carl'), aWorkerReport('dora')]).press('j', 'k', 'n');
  expect(types(played, 'Fix it\n').asked).toEqual(['task']);
  played.press('e');
  played.now += 1_200;
  expect(types(played.press('n'), 'Fix it\n').asked).toEqual(['task', 'task']);
});

test('who typed into an agent whose session ended sends nothing with the first enter', () => {
  const played = new Played([aWorkerReport('carl')]).press('g');
  const [effect] = played.press('enter').effects;
  if (effect === undefined) throw new Error('not attached');
  played.now += 60_000;
  played.on({ kind: 'done', effect });
  expect(types(played, 'now go on\n').asked).toEqual(['attach']);
});

test('an enter right behind a pasted text does not send it', () => {
  const played = new Played(WORKERS).on({ kind: 'pressed', pressed: { kind: 'paste', text: 'Fix it' } }).press('enter');
  expect(played.asked).toEqual([]);
  played.now += 300;
  expect(played.press('enter').asked).toEqual(['task']);
});

test.each(['yes', 'ok', 'x'])('an enter right behind letters that did nothing opens no terminal: %j', (text) => {
  const played = types(new Played([aWorkerReport('carl')]).press('g'), `${text}\n`);
  expect(played.asked).toEqual([]);
  expect(played.view.notice).toMatchObject({ hint: 'press enter again' });
  expect(types(played, '\n').asked).toEqual(['attach']);
});

test.each(['n', 'm', ':'])('a second enter behind a text that was sent opens no terminal: %s', (key) => {
  const played = types(new Played([aWorkerReport('carl')]).press('g', key), 'Fix it\n\n');
  expect(played.asked).toHaveLength(1);
  expect(played.asked).not.toContain('attach');
  expect(types(played, '\n').asked).toContain('attach');
});

test('an enter behind a filter opens the terminal of what it has found', () => {
  const played = new Played([aWorkerReport('carl'), aWorkerReport('dora')]).press('g', '/');
  expect(types(played, 'carl\n\n').effects).toEqual([{ kind: 'attach', worker: 'carl' }]);
});

test.each(['y', 'n', 'q'])('an enter behind the key that answers a question belongs to the answer: %s', (key) => {
  const mode = { kind: 'confirm', question: 'Take it back?', effect: { kind: 'undo', worker: 'adam', landing: 'one' } } as const;
  const played = new Played([aWorkerReport('carl')]).press('g');
  played.view = { ...played.view, mode: { ...mode, below: { kind: 'browse' } } };
  expect(types(played, `${key}\n`).asked).not.toContain('attach');
  expect(types(played, '\n').asked).toContain('attach');
});
