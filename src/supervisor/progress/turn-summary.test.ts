import { expect, test } from 'vitest';
import { saidIn, turnSummary } from './turn-summary.ts';

const turn = (seq: number, message: string) => ({ lastTurn: { seq, at: 0, message } });

test.each([
  ['the message of the turn', turn(9, ' I added a.\n'), [{ after_event: 5 }], 'I added a.'],
  ['nothing, where the agent reported no turn', { lastTurn: null }, [{ after_event: 5 }], null],
  ['nothing, where the last report is of an earlier turn', turn(5, 'I added a.'), [{ after_event: 3 }, { after_event: 5 }], null],
  ['nothing, where the message is empty', turn(9, ' \n'), [{ after_event: null }], null],
  ['the message of a turn that a person began in the terminal', turn(9, 'Done.'), [], 'Done.'],
])('a summary is %s', (_, reported, acked, expected) => {
  expect(turnSummary(reported, acked)).toBe(expected);
});

test('a message of a megabyte does not fill the state', () => {
  expect(turnSummary(turn(1, 'x'.repeat(1_000_000)), [])).toHaveLength(4_000);
});

test('an answer is the whole message, or what the terminal of an agent that reports nothing shows since the prompt', () => {
  const message = 'x'.repeat(1_000_000);
  const sent = { after_event: 5, sent_text: 'Why is the build so slow?' };
  const lines = ['', '> Why is the build so slow?', '', 'The cache is cold.', ''];
  expect(saidIn(turn(9, message), [sent], lines)).toEqual({ text: message, source: 'message', cut: 0 });
  expect(saidIn(turn(5, message), [sent], lines)).toEqual({ text: 'The cache is cold.', source: 'screen', cut: 0 });
  expect(saidIn(turn(5, message), [sent], ['', ''])).toBeUndefined();
  expect(saidIn({ lastTurn: null }, [], [])).toBeUndefined();
});
