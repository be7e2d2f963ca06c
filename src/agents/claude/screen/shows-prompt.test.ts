import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { screenFromText } from '../../../terminal/screen.ts';
import { showsPrompt } from './shows-prompt.ts';

const ROOT = join(import.meta.dirname, '../../../../test/fixtures/screens/claude/2.1.325');
const shows = (path: string, text: string) => showsPrompt(screenFromText(readFileSync(join(ROOT, `${path}.txt`), 'utf8')), text);
const lines = Array.from({ length: 200 }, (_, index) => `line number ${index}`).join('\n');

test('the latest prompt is recognised, with or without an answer below it', () => {
  expect(shows('ready/05-after-reply-80x24', 'hello there')).toBe(true);
  expect(shows('processing/13-processing-waiting-80x24', 'please do the slow thing')).toBe(true);
  expect(shows('error-billing/41-err-400-credit-final', 'hello')).toBe(true);
  expect(shows('processing/50-queued-while-processing-100x30', 'queued message two')).toBe(true);
});

test('wrapped and multi-line prompts are recognised', () => {
  expect(shows('ready/wrapped-prompt', `${'x'.repeat(600)} tail`)).toBe(true);
  expect(shows('ready/false-positive-prompt-quotes-busy-120', 'and this?')).toBe(false);
});

test('a long prompt is recognised by its visible end', () => {
  expect(shows('ready/long-prompt', lines)).toBe(true);
  expect(shows('ready/long-prompt', `${lines}0`)).toBe(false);
});

test('an earlier prompt, a draft in the box and a reply are not recognised', () => {
  expect(shows('ready/77-after-autocompact-100x30', 'third')).toBe(true);
  expect(shows('ready/77-after-autocompact-100x30', 'second')).toBe(false);
  expect(shows('ready/11-typed-unsent-80x24.draft', 'this is typed but unsent')).toBe(false);
  expect(shows('ready/05-after-reply-80x24', 'OK.')).toBe(false);
  expect(shows('ready/05-after-reply-80x24', '')).toBe(false);
});
