import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RECORDED, readRecorded, recorded } from '../../../test/support/codex-screens.ts';
import { type Screen, screenFromText } from '../../terminal/screen.ts';
import { answerStep, startupStep } from './answer.ts';

/** The same dialog after a key that moved the selection. */
function withSelected(screen: Screen, number: number): Screen {
  const lines = screen.lines.map((line) => line.replace(/^( *)›( \d\. )/, '$1 $2'));
  return { ...screen, lines: lines.map((line) => line.replace(new RegExp(`^( *) ( ${number}\\. )`), '$1›$2')) };
}

describe('start-up dialogs', () => {
  test.each([
    ['02-trust', 1, 'Trust and continue'],
    ['09-hook-trust', 3, "Continue without trusting (hooks won't run)"],
    ['90-update', 2, 'Skip'],
    ['57-resume-other-cwd', 2, 'Use current directory (/home/dev/project/proj2)'],
  ])('%s is answered with row %i, and Enter comes only once that row is selected', (name, number, label) => {
    const screen = recorded(`awaiting_question-startup/${name}`);
    const confirmed = { keys: ['Enter'], answers: true, why: `confirm "${label}"` };
    expect(startupStep(screen)).toEqual(number === 1 ? confirmed : { keys: [String(number)], why: `choose "${label}"` });
    expect(startupStep(withSelected(screen, number))).toEqual(confirmed);
  });

  test('llmc declines a new model', () => {
    const screen = screenFromText(
      '\n  Meet GPT-7\n\n  It is better.\n\n› 1. Try new model\n  2. Use existing model\n\n  enter/esc confirm · ^c quit\n',
    );
    expect(startupStep(screen)).toMatchObject({ keys: ['2'], why: 'choose "Use existing model"' });
  });

  test('llmc declines a cheaper model at a usage limit', () => {
    expect(startupStep(recorded('waiting_limit-stays/20-usage-limit-dialog'))).toEqual({
      keys: ['2'],
      answers: true,
      why: 'choose "Keep current model"',
    });
  });

  test.each(['00-noconfig', '00-noconfig-wide', '56-double-resume'])('%s is left to a person', (name) => {
    expect(startupStep(recorded(`awaiting_question-startup/${name}`))).toBeUndefined();
  });

  test.each(['starting/01-provider-only', 'ready/07-finished', 'awaiting_permission-Bash/w-12-approval-command'])(
    '%s is not a start-up dialog',
    (name) => {
      expect(startupStep(recorded(name))).toBeUndefined();
    },
  );
});

describe('permissions', () => {
  const screen = recorded('awaiting_permission-Bash/12b-approval-after-paste');

  test.each([
    ['1', 'Enter', 'Yes, proceed'],
    ['yes, proceed', 'Enter', 'Yes, proceed'],
    ['3', '3', 'No, and tell Codex what to do differently'],
    ['no', '3', 'No, and tell Codex what to do differently'],
    ['yes, and', '2', "Yes, and don't ask again for commands that start with `touch /tmp/codex- probe/proj/ESC1`"],
  ])('%j presses %s towards %j', (choice, key, label) => {
    expect(answerStep(screen, choice)).toMatchObject({ keys: [key], answers: true });
    expect(answerStep(screen, choice)?.why).toContain(`"${label}"`);
  });

  test('the selected row counts, not the first', () => {
    expect(answerStep(withSelected(screen, 3), 'yes, proceed')?.keys).toEqual(['1']);
    expect(answerStep(withSelected(screen, 3), 'no')?.keys).toEqual(['Enter']);
  });

  test.each(['yes', 'maybe', '7', '', '  ', 'p', 'stop everything'])('%j fits no row, or several, and presses nothing', (choice) => {
    expect(answerStep(screen, choice)).toBeUndefined();
  });

  test('cancel closes the dialog', () => {
    expect(answerStep(screen, 'cancel')?.keys).toEqual(['Escape']);
  });
});

describe('questions', () => {
  const screen = recorded('awaiting_question-multiple_choice/w-15-question2');
  const notes = recorded('awaiting_question-multiple_choice/15b-question-after-paste');

  test('a label or a number becomes one digit, and the selected row becomes Enter', () => {
    expect(answerStep(screen, 'y')).toMatchObject({ keys: ['2'], answers: true });
    expect(answerStep(screen, '1')).toMatchObject({ keys: ['Enter'], answers: true });
  });

  test('a number that no row has, and several numbers, are not free text', () => {
    for (const choice of ['9', '1,2']) expect(answerStep(screen, choice), choice).toBeUndefined();
  });

  test('a free answer is typed into the notes of the last row, captured, and then sent', () => {
    const last = withSelected(screen, 3);
    expect(answerStep(screen, 'use Z')).toEqual({ keys: ['Down'], why: 'move to "None of the above"' });
    expect(answerStep(last, 'use Z')).toEqual({ keys: ['Tab'], why: 'open the notes' });
    const written = { ...notes, lines: withSelected(notes, 3).lines };
    const empty = { ...notes, lines: written.lines.map((line) => line.replace('pasted text into question', 'Add notes')) };
    expect(answerStep(empty, 'use\nRedis')).toEqual({ text: 'use Redis', keys: [], why: 'write the answer' });
    expect(answerStep(written, 'pasted text into question')).toMatchObject({ keys: ['Enter'], answers: true });
  });

  test('notes under another row, or with other text, are closed and nothing is sent', () => {
    expect(answerStep(notes, 'pasted text into question')?.keys).toEqual(['Tab']);
    expect(answerStep(withSelected(notes, 3), 'something else')?.keys).toEqual(['Tab']);
    expect(answerStep(notes, 'SQLite')).toEqual({ keys: ['Tab'], why: 'close the notes, where a digit would be text' });
  });

  test('a plan is implemented only on that answer', () => {
    const plan = recorded('awaiting_question-multiple_choice/16-plan-proposal');
    expect(answerStep(plan, 'no')).toMatchObject({ keys: ['3'], answers: true });
    expect(answerStep(plan, 'yes, implement')?.keys).toEqual(['Enter']);
    expect(answerStep(plan, 'make it shorter')).toBeUndefined();
  });
});

test('a conversation open elsewhere has keys of its own', () => {
  const screen = recorded('awaiting_question-startup/56-double-resume');
  expect(answerStep(screen, 'retry')?.keys).toEqual(['r']);
  expect(answerStep(screen, '2')?.keys).toEqual(['f']);
  expect(answerStep(screen, 'exit')?.keys).toEqual(['Escape']);
  expect(answerStep(screen, 'anything')).toBeUndefined();
});

describe('Enter is pressed only on a captured selection', () => {
  const screens = RECORDED.map(({ path }) => readRecorded(path));

  test('on any recorded screen, whichever row is selected, Enter confirms the requested row', () => {
    const digits = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(fc.constantFrom(...screens), digits, digits, (screen, selected, wanted) => {
        const moved = withSelected(screen, selected);
        const step = answerStep(moved, String(wanted));
        if (step?.keys.includes('Enter')) expect(moved.lines.some((line) => new RegExp(`^ *[›>] ${wanted}\\. `).test(line))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('no key is pressed at the prompt, on a dead pane or in a menu', () => {
    const quiet = RECORDED.filter(({ folder }) => /^(?:ready|processing|starting|exited|error|unknown)/.test(folder));
    for (const { path } of quiet) {
      expect([path, answerStep(readRecorded(path), '1'), startupStep(readRecorded(path))]).toEqual([path, undefined, undefined]);
    }
  });

  test('garbage gets no Enter either', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '› 1. Yes',
        '  2. No',
        '  Press enter to confirm or esc to cancel',
        '  enter select · esc back',
        '',
        '  Question 1/1 (',
        '› ',
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.string(), (lines, choice) => {
        const screen = screenFromText(lines.join('\n'));
        const step = answerStep(screen, choice);
        if (step?.keys.includes('Enter')) expect(screen.lines.some((each) => /^ *[›>] *\d\. /.test(each))).toBe(true);
      }),
    );
  });
});
