import { expect, test } from 'vitest';
import { screenFromText } from '../../terminal/screen.ts';
import { aWatch } from '../samples.ts';
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

test('an answer is the whole message, or the screen of an agent that reports nothing', () => {
  const message = 'x'.repeat(1_000_000);
  const watch = aWatch();
  const reported = { ...watch.reported, ...turn(9, message) };
  expect(saidIn({ ...watch, reported }, [{ after_event: 5 }], {})).toEqual({ text: message, source: 'message', cut: 0 });
  expect(saidIn({ ...watch, reported }, [{ after_event: 9 }], {})).toBeUndefined();
  const screen = screenFromText('\n\n> why\nThe cache is cold.\n\n');
  const reading = { activity: { kind: 'ready' as const }, confidence: 1, rule: 'ready', box: { kind: 'empty' as const } };
  const shown = { ...watch, screen: { ...watch.screen, capture: { screen, reading, at: 1, since: 1, stillSince: 1, essence: '' } } };
  expect(saidIn(shown, [], { saysOnScreen: true })).toEqual({ text: '> why\nThe cache is cold.', source: 'screen', cut: 0 });
  expect(saidIn(shown, [], {})).toBeUndefined();
  expect(saidIn(watch, [], { saysOnScreen: true })).toBeUndefined();
});
