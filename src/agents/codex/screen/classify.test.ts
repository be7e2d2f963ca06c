import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RECORDED, readRecorded, recorded } from '../../../../test/support/codex-screens.ts';
import { type Screen, screenFromText } from '../../../terminal/screen.ts';
import { classify } from './classify.ts';

const read = (name: string, now?: number) => classify(recorded(name), now);
const titled = (name: string, words: string): Screen => ({ ...recorded(name), title: `${words} | 01a1ddc3-f792-7961-a133-0dd63...` });

describe('details of a classified screen', () => {
  test('a permission names its tool, its question and its rows', () => {
    expect(read('awaiting_permission-Bash/w-12-approval-command').activity).toEqual({
      kind: 'awaiting_permission',
      tool: 'Bash',
      command: 'echo W',
      question: 'Would you like to run the following command?',
      choices: [
        'Yes, proceed',
        "Yes, and don't ask again for commands that start with `echo W`",
        'No, and tell Codex what to do differently',
      ],
    });
  });

  test('a permission shows all lines of its command', () => {
    expect(read('awaiting_permission-Bash/command-many-lines-200x50').activity).toMatchObject({
      command: 'cd /tmp &&\n  for f in a b c; do\n    echo $f\n  done\n\necho end',
    });
  });

  test('a login is one, and another dialog at the start is none', () => {
    const at = (name: string) => read(`awaiting_question-startup/${name}`).activity;
    for (const name of ['login-80x24', 'login-second-row-200x50', '00-noconfig'])
      expect(at(name)).toMatchObject({
        questionType: 'startup',
        question: expect.stringMatching(/^Choose how you want to use/),
        login: true,
      });
    expect(at('02-trust')).not.toHaveProperty('login');
  });

  test('a question has its own choices, without their descriptions', () => {
    expect(read('awaiting_question-multiple_choice/15b-question-after-paste').activity).toMatchObject({
      question: 'Which database should I use?',
      choices: ['Postgres (Recommended)', 'SQLite', 'None of the above'],
    });
  });

  test('a limit has its reset time, if the current time is given, also under the offer of another model', () => {
    const now = new Date(2026, 10, 15, 1, 52).getTime();
    const resetsAt = new Date(2026, 10, 15, 2, 52).getTime();
    const limit = { kind: 'waiting_limit', continuesByItself: false };
    expect(read('waiting_limit-stays/20-usage-not-included-final', now).activity).toEqual({ ...limit, resetsAt });
    expect(read('waiting_limit-stays/20-usage-limit-dialog', now).activity).toEqual({ ...limit, resetsAt });
    expect(read('waiting_limit-stays/20-usage-limit-dialog').activity).toEqual({ ...limit, resetsAt: null });
  });

  test('an error has its whole message, and whether a person must act', () => {
    expect(read('error-context_full/20-failed-context-retrying').activity).toMatchObject({
      recoverable: false,
      message: "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
    });
    expect(read('error-overloaded/20-failed-overloaded-final').activity).toMatchObject({ recoverable: true });
  });

  test('an end has its status', () => {
    expect(read('exited-crash/51-kill9').activity).toEqual({ kind: 'exited', how: 'crash', status: null, signal: '9' });
    expect(read('exited-user/45-quit-after-turn').activity).toEqual({ kind: 'exited', how: 'user', status: 0, signal: null });
  });

  test('the box has its text', () => {
    expect(read('ready/60-at-only.draft').box).toEqual({ kind: 'text', text: 'look at file.txt' });
    expect(read('processing/33-busy-enter').box).toEqual({ kind: 'empty' });
  });
});

describe('the title', () => {
  test('shows work that the screen does not show', () => {
    expect(classify(titled('ready/07-finished', 'Working')).activity).toEqual({ kind: 'processing' });
  });

  test('wins when it shows ready, although the screen seems busy', () => {
    expect(classify(titled('processing/w-05-processing', 'Ready')).activity).toEqual({ kind: 'ready' });
  });

  test('does not make an open dialog, an error or a missing box ready', () => {
    expect(classify(titled('awaiting_question-multiple_choice/16-plan-proposal', 'Ready')).activity.kind).toBe('awaiting_question');
    expect(classify(titled('waiting_limit-stays/20-usage-limit-dialog', 'Ready')).activity.kind).toBe('waiting_limit');
    expect(classify(titled('error-auth/20-s401-final', 'Ready')).activity.kind).toBe('error');
    expect(classify(titled('starting/03-ready', 'Ready')).activity.kind).toBe('starting');
  });

  test('distinguishes an unknown dialog from a menu that a person opened', () => {
    const text = '› prompt\n\n  Pick a colour\n\n› 1. Red\n  2. Blue\n\n  enter select · esc back\n';
    const screen = { ...screenFromText(text), title: '[ ! ] Action Required | 01a1ddc3-f792-7961-a133-0dd63...' };
    expect(classify(screen).activity).toMatchObject({ kind: 'awaiting_question', question: 'Pick a colour', choices: ['Red', 'Blue'] });
    expect(classify({ ...screen, title: 'Ready | 01a1ddc3-f792-7961-a133-0dd63...' }).activity.kind).toBe('unknown');
  });
});

describe('screens without Codex on them', () => {
  test('a blank screen is a start', () => {
    expect(classify(screenFromText('\n\n'))).toMatchObject({ activity: { kind: 'starting' }, box: { kind: 'absent' } });
  });

  test('a shell is unknown, with no confidence', () => {
    expect(classify(screenFromText('dev@host:~$ ls\na.txt\ndev@host:~$'))).toMatchObject({ activity: { kind: 'unknown' }, confidence: 0 });
  });
});

test('every screen is classified, and nothing throws', () => {
  const lines = fc.array(fc.oneof(fc.string(), fc.constantFrom(...RECORDED.flatMap(({ path }) => readRecorded(path).lines))), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(
      lines,
      fc.option(fc.string(), { nil: undefined }),
      fc.option(fc.date({ noInvalidDate: true }), { nil: undefined }),
      (some, title, now) => {
        const reading = classify({ ...screenFromText(some.join('\n')), ...(title !== undefined && { title }) }, now?.getTime());
        expect(reading.confidence).toBeGreaterThanOrEqual(0);
        // llmc types a prompt only into a box that it has captured.
        if (reading.activity.kind === 'ready') expect(reading.box.kind).not.toBe('absent');
      },
    ),
    { numRuns: 1_000 },
  );
});
