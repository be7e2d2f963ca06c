import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Screen, screenFromText } from '../../terminal/screen.ts';
import { answerStep, startupStep } from './answer.ts';

const ROOT = join(import.meta.dirname, '../../../test/fixtures/screens/claude/2.1.325');

function recorded(path: string): Screen {
  return screenFromText(readFileSync(join(ROOT, `${path}.txt`), 'utf8'));
}

describe('start-up dialogs', () => {
  test('trust is confirmed only once its row is selected', () => {
    expect(startupStep(recorded('awaiting_question-startup/startup-trust'))).toMatchObject({
      keys: ['End'],
      why: 'move to "Yes, I trust this folder"',
    });
    expect(startupStep(recorded('awaiting_question-startup/startup-trust-yes'))).toMatchObject({
      keys: ['Enter'],
      why: 'confirm "Yes, I trust this folder"',
    });
  });

  test('the bypass warning is confirmed only once its row is selected', () => {
    expect(startupStep(recorded('awaiting_question-startup/07-bypass-dialog-80x24'))?.keys).toMatchObject(['End']);
    expect(startupStep(recorded('awaiting_question-startup/07b-bypass-dialog-down'))?.keys).toMatchObject(['Enter']);
  });

  test('the dialog at a usage limit is answered with waiting', () => {
    const step = startupStep(recorded('waiting_limit-stays/limit-dialog'));
    expect(step).toMatchObject({ keys: ['Enter'], why: 'confirm "Stop and wait for limit to reset"' });
  });

  test.each([
    '03-apikey-80x24',
    'startup-mcp-one',
    'startup-mcp-two',
    'startup-external',
    'startup-bad-settings',
    '00-onboarding-1-theme-80x40',
    '00-onboarding-2-80x40',
  ])('%s is left to a person', (name) => {
    expect(startupStep(recorded(`awaiting_question-startup/${name}`))).toBeUndefined();
  });

  test.each([
    'ready/10-ready-80x24',
    'awaiting_permission-Bash/perm-bash',
    'awaiting_question-multiple_choice/question-two',
    'ready/false-positive-says-trust-80',
  ])('%s is not a start-up dialog', (path) => {
    expect(startupStep(recorded(path))).toBeUndefined();
  });

  test('a person’s answer is found by its text', () => {
    const screen = recorded('awaiting_question-startup/startup-mcp-one');
    expect(answerStep(screen, 'Use this MCP server')?.keys).toMatchObject(['Home']);
    expect(answerStep(screen, '2')?.keys).toMatchObject(['Up']);
    expect(answerStep(screen, '3')).toMatchObject({ keys: ['Enter'], why: 'confirm "Continue without using this MCP server"' });
  });
});

describe('permissions', () => {
  const screen = recorded('awaiting_permission-Bash/perm-bash');

  test.each([
    ['1', 'Enter', 'Yes'],
    ['yes', 'Enter', 'Yes'],
    ['4', '4', 'No'],
    ['no', '4', 'No'],
    ['Yes, and switch', '3', 'Yes, and switch to auto mode · auto mode handles these prompts for you'],
  ])('%j presses %s towards %j', (choice, key, label) => {
    expect(answerStep(screen, choice)?.keys).toMatchObject([key]);
    expect(answerStep(screen, choice)?.why).toContain(`"${label}"`);
  });

  test('the selected row counts, not the first', () => {
    const moved = recorded('awaiting_permission-Bash/perm-bash-down');
    expect(answerStep(moved, 'yes')?.keys).toMatchObject(['1']);
    expect(answerStep(moved, '2')?.keys).toMatchObject(['Enter']);
  });

  test('text that fits no row, or several, presses nothing', () => {
    expect(answerStep(screen, 'maybe')).toBeUndefined();
    expect(answerStep(screen, 'yes, and')).toBeUndefined();
    expect(answerStep(screen, '7')).toBeUndefined();
    expect(answerStep(screen, '')).toBeUndefined();
  });

  test('cancel closes the dialog', () => {
    expect(answerStep(screen, 'cancel')?.keys).toMatchObject(['Escape']);
  });

  test('a person can write what to change in a plan', () => {
    expect(answerStep(recorded('awaiting_permission-ExitPlanMode/plan-ready'), 'shorter please')?.keys).toMatchObject(['3']);
    const field = recorded('awaiting_permission-ExitPlanMode/plan-ready-last-row');
    expect(answerStep(field, 'shorter please')).toMatchObject({ text: 'shorter please', keys: [], why: 'write the answer' });
  });
});

describe('questions', () => {
  const question = (name: string) => recorded(`awaiting_question-multiple_choice/${name}`);

  test('a label or a number becomes one digit', () => {
    expect(answerStep(question('19-askuser-single-80x24'), 'PostgreSQL')?.keys).toMatchObject(['Enter']);
    expect(answerStep(question('19-askuser-single-80x24'), 'sqlite')).toMatchObject({ keys: ['2'], why: 'choose "SQLite"' });
    expect(answerStep(question('question-preview'), '2')?.why).toBe('choose "List"');
    expect(answerStep(question('question-tall'), '4')?.keys).toMatchObject(['4']);
  });

  test('a number that no visible row has is refused, not written as free text', () => {
    expect(answerStep(question('19-askuser-single-80x24'), '9')).toBeUndefined();
    expect(answerStep(question('question-tall'), '1')).toBeUndefined();
    // Where one choice alone counts, several numbers are not words either.
    expect(answerStep(question('19-askuser-single-80x24'), '1,2')).toBeUndefined();
    expect(answerStep(question('19-askuser-single-80x24'), '1, 2')).toBeUndefined();
  });

  test('free text is typed into its field, captured, and then sent', () => {
    expect(answerStep(question('19-askuser-single-80x24'), 'use Redis')).toMatchObject({ keys: ['4'], why: 'choose "Type something."' });
    expect(answerStep(question('ask-type-something-selected'), 'hé日 x;')).toMatchObject({
      text: 'hé日 x;',
      keys: [],
      why: 'write the answer',
    });
    expect(answerStep(question('ask-type-something-typed'), 'hé日 x;')?.keys).toMatchObject(['Enter']);
  });

  test('other text in the field is removed, and a digit is never pressed inside it', () => {
    expect(answerStep(question('ask-type-something-typed'), 'something else')?.keys).toMatchObject(['C-u']);
    expect(answerStep(question('ask-type-something-selected'), 'SQLite')).toMatchObject({
      keys: ['Up'],
      why: 'leave the text field, where a digit would be text',
    });
  });

  test('several rows are ticked and unticked before the dialog continues', () => {
    expect(answerStep(question('question-multi'), 'Auth, Cache')).toMatchObject({ keys: ['1'], why: 'tick "Auth"' });
    expect(answerStep(question('question-multi-toggled'), 'Auth, Cache')).toMatchObject({ keys: ['3'], why: 'tick "Cache"' });
    expect(answerStep(question('question-multi-toggled'), '2')).toMatchObject({ keys: ['1'], why: 'untick "Auth"' });
    expect(answerStep(question('question-multi-submit-row'), '1,3')).toMatchObject({
      keys: ['Enter'],
      why: 'continue: everything is ticked as wanted',
    });
    expect(answerStep(question('question-multi'), 'Auth, 9')).toBeUndefined();
  });

  test('among several rows, an answer that no row has is written into the text field', () => {
    expect(answerStep(question('question-multi'), 'Auth, my own words')).toMatchObject({ keys: ['1'], why: 'tick "Auth"' });
    const list = (...lines: string[]) =>
      screenFromText(
        [...question('question-multi').lines.map((line) => lines.find((own) => own.slice(2, 6) === line.slice(2, 6)) ?? line)].join('\n'),
      );
    const ticked = list('❯ 1. [✔] Auth', '  4. [ ] Type something');
    expect(answerStep(ticked, 'Auth, my own words')).toMatchObject({ keys: ['4'], why: 'tick "Type something"' });
    expect(answerStep(ticked, 'my own words')).toMatchObject({ keys: ['1'], why: 'untick "Auth"' });
    const field = list('❯ 1. [✔] Auth', '  4. [✔] Type something');
    expect(answerStep(field, 'Auth, my own words')).toMatchObject({ text: 'my own words', keys: [], why: 'write the answer' });
    const written = list('  1. [✔] Auth', '❯ 4. [✔] my own words');
    expect(answerStep(written, 'Auth, my own words')).toMatchObject({ keys: ['Tab'] });
    expect(answerStep(written, 'Auth, other words')).toMatchObject({ keys: ['C-u'], why: 'clear the text field' });
    expect(answerStep(written, 'Logs, my own words')).toMatchObject({ keys: ['Up'] });
    expect(answerStep(list('❯ 1. [✔] Auth', '  4. [✔] her words'), 'Auth, my own words'), 'a person’s words are not sent').toBeUndefined();
  });

  test('the last page is submitted or cancelled', () => {
    expect(answerStep(question('question-multi-review'), 'submit')).toMatchObject({ keys: ['Enter'], why: 'confirm "Submit answers"' });
    expect(answerStep(question('question-multi-review'), 'Auth, Cache')).toBeUndefined();
    expect(answerStep(question('question-multi-review'), 'cancel')).toMatchObject({ keys: ['2'], why: 'choose "Cancel"' });
  });

  test('MCP servers are ticked with Space and enabled by the last row', () => {
    const screen = recorded('awaiting_question-startup/startup-mcp-two');
    expect(answerStep(screen, 'bar')).toMatchObject({ keys: ['Space'], why: 'untick "foo"' });
    expect(answerStep(screen, 'foo, bar')?.keys).toMatchObject(['End']);
  });

  test('a dialog without a list is answered by the keys that its last line names', () => {
    for (const columns of [80, 100, 200]) {
      const screen = recorded(`unknown/menu-auto-mode-check-${columns}`);
      expect(answerStep(screen, '1')).toEqual({ keys: ['Enter'], answers: true, why: 'choose "stay in auto mode"' });
      expect(answerStep(screen, 'leave')).toMatchObject({ keys: ['BTab'], why: 'choose "leave for accept edits mode and stop"' });
      expect(answerStep(screen, 'cancel')).toMatchObject({ keys: ['Escape'] });
      expect(answerStep(screen, '4')).toBeUndefined();
      expect(answerStep(screen, 'yes')).toBeUndefined();
    }
  });

  test('nothing is pressed in a menu without a list, or at the prompt', () => {
    expect(answerStep(recorded('unknown/menu-agents-typed'), '1')).toBeUndefined();
    expect(answerStep(recorded('ready/false-positive-numbered-list-80'), '1')).toBeUndefined();
  });
});
