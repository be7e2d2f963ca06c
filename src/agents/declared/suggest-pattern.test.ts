import { expect, test } from 'vitest';
import { suggestBox, suggestReady } from './suggest-pattern.ts';

test.each<[string, readonly string[], string | undefined]>([
  ['a hint below the box', ['│ > │', '╰───╯', '  ? for help', ''], "ready = ['\\? for help']"],
  ['a prompt', ['Welcome', 'any> '], "ready = ['any>']"],
  ['a line with a number is not the same next time', ['? for help', '12 tokens'], "ready = ['\\? for help']"],
  ['only such a line', ['12 tokens'], "ready = ['12 tokens']"],
  ['a quote', ["it's me"], "ready = ['it.s me']"],
  ['nothing', ['', '───'], undefined],
])('a pattern for ready from %s', (_, lines, expected) => {
  expect(suggestReady(lines)).toBe(expected);
});

test.each<[string, readonly string[], string | undefined]>([
  ['behind a prompt', ['Welcome', 'any> Write about the sea'], "box = '^any> ?(.*)$'"],
  ['in a frame', ['╭───╮', '│ > Write about the sea   │', '╰───╯'], "box = '^│ > ?(.*?) *│$'"],
  ['elsewhere', ['any>'], undefined],
])('a pattern for box from a text %s', (_, lines, expected) => {
  expect(suggestBox(lines, 'Write about the sea')).toBe(expected);
});

test.each(['any> Write about the sea', '│ > Write about the sea   │'])('what is suggested fits the screen: %s', (line) => {
  const suggested = suggestBox([line], 'Write about the sea') ?? '';
  expect(new RegExp(/'(.*)'/.exec(suggested)?.[1] ?? '', 'u').exec(line)?.[1]).toBe('Write about the sea');
});
