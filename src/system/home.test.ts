import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { expandHome } from './home.ts';

test.each([
  ['~', '/home/u'],
  ['~/x', '/home/u/x'],
  ['/x/~', '/x/~'],
  ['~root/x', '~root/x'],
])('%s expands to %s', (path, expanded) => {
  expect(expandHome(path, '/home/u')).toBe(expanded);
});

test("the home is the user's own unless told otherwise", () => {
  expect(expandHome('~')).toBe(homedir());
});
