import { expect, test } from 'vitest';
import { conversationOn, readTitle } from './title.ts';

const ID = '01a1ddc3-f792-7961-a133-0dd63';

test.each([
  [`Ready | ${ID}...`, 'ready'],
  [`Working | ${ID}...`, 'working'],
  [`Thinking | ${ID}...`, 'working'],
  [`[ ! ] Action Required | ${ID}...`, 'asking'],
  [`[ . ] Action Required | ${ID}...`, 'asking'],
])('%j shows %s', (title, state) => {
  expect(readTitle(title)).toEqual({ state, conversation: ID });
});

test.each([undefined, '', 'vm', 'Ready', 'proj', '⠧ proj', 'Ready | proj', `${ID}`])('%j shows nothing', (title) => {
  expect(readTitle(title)).toBeUndefined();
});

test('the conversation is the beginning of its id', () => {
  expect('01a1ddc3-f792-7961-a133-0dd63f36de4e'.startsWith(conversationOn({ title: `Ready | ${ID}...` }) ?? 'none')).toBe(true);
  expect(conversationOn({})).toBeUndefined();
});
