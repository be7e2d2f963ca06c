import { expect, test } from 'vitest';
import { once } from './once.ts';

test('what several parts of a report say is said once', () => {
  const said: string[] = [];
  const say = once((line) => said.push(line));
  for (const line of ['silent', 'other', 'silent']) say(line);
  expect(said).toEqual(['silent', 'other']);
});
