import { expect, test } from 'vitest';
import { turnSummary } from './turn-summary.ts';

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
