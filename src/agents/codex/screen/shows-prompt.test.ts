import { expect, test } from 'vitest';
import { recorded } from '../../../../test/support/codex-screens.ts';
import { showsPrompt } from './shows-prompt.ts';

const shows = (name: string, text: string) => showsPrompt(recorded(name), text);

test('the latest prompt is recognised, with or without an answer below it', () => {
  expect(shows('ready/55-argv-fresh', 'argv prompt fresh')).toBe(true);
  expect(shows('processing/w-05-processing', 'phase test')).toBe(true);
  expect(shows('error-auth/91-missing-key', 'no key')).toBe(true);
  expect(shows('ready/72-daemon-queue', 'queued via CLI "x" $y\nline2')).toBe(true);
  expect(shows('waiting_limit-stays/20-usage-limit-dialog', 'case usage-limit')).toBe(true);
});

test('the latest prompt is recognised above a dialog, whose selected row has the same mark', () => {
  expect(shows('awaiting_permission-Bash/w-12-approval-command', 'esc')).toBe(true);
  expect(shows('awaiting_question-multiple_choice/w-15-question2', 'ask two')).toBe(true);
  expect(shows('awaiting_permission-Bash/w-12-approval-command', '1. Yes, proceed (y)')).toBe(false);
});

test('an earlier prompt, a draft in the box, a queued prompt and a reply are not recognised', () => {
  expect(shows('ready/52b-resumed-continue', 'run the long tool')).toBe(false);
  expect(shows('ready/04-typed-unsent.draft', 'hello typed but unsent')).toBe(false);
  expect(shows('processing/34-busy-tab', 'T2 while busy tab')).toBe(false);
  expect(shows('ready/55-argv-fresh', 'OK.')).toBe(false);
  expect(shows('ready/55-argv-fresh', '')).toBe(false);
});
