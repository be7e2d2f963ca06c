import { expect, test } from 'vitest';
import { readLeftMessage } from './messages.ts';

test('a message has a role and a text without hidden characters', () => {
  expect(readLeftMessage('1.yaml', 'to: developer\ntext: |\n  Use tabs.\n  Not\u202e blanks.\n')).toEqual({
    to: 'developer',
    text: 'Use tabs.\nNot<U+202E> blanks.\n',
  });
  expect(readLeftMessage('1.yaml', '{"to": "developer", "text": "x", "more": 1}')).toEqual({ to: 'developer', text: 'x' });
});

test.each([
  ['', 'messages/1.yaml: is empty'],
  ['to: [', expect.stringContaining('messages/1.yaml: line 1: not valid YAML')],
  ['hello', 'messages/1.yaml: expected the two keys "to" and "text"'],
  ['to: developer', 'messages/1.yaml: text: expected a text'],
  ['to: developer\ntext: 7', 'messages/1.yaml: text: expected a text'],
  ['to: developer\ntext: "  "', 'messages/1.yaml: text: is empty'],
  [`to: ${'x'.repeat(65)}\ntext: x`, 'messages/1.yaml: to: is too long'],
  [`to: developer\ntext: ${'x'.repeat(16_385)}`, 'messages/1.yaml: text: expected at most 16384 characters'],
])('one that cannot be read says why (%#)', (text, problem) => {
  expect(readLeftMessage('1.yaml', text)).toEqual({ problem });
});
