import { describe, expect, test } from 'vitest';
import { type Screen, screenFromText } from '../../terminal/screen.ts';
import { classifyDemo } from './classify.ts';
import { type Dialog, permissionDialog, questionDialog, trustDialog } from './tui/dialog.ts';
import { type Entry, FIRST_STATE, type State } from './tui/model.ts';
import { EMPTY_DRAFT, insertPaste, insertText } from './tui/screen/draft.ts';
import { layout } from './tui/screen/layout.ts';

/** What tmux would capture of this picture. */
function picture(state: Partial<State>, width = 80, height = 24): Screen {
  const { rows } = layout({ state: { ...FIRST_STATE, ...state }, header: [' ▲ llmc demo agent', ''], now: 5_000 }, { width, height });
  return screenFromText(rows.map(({ text }) => text).join('\n'), { width, height });
}

const said = (text: string): Entry => ({ kind: 'said', text });
const activity = (state: Partial<State>) => classifyDemo(picture(state)).activity;
const dialog = (open: Dialog) => activity({ dialog: open, busySince: 0 });
const failed = { kind: 'failed', type: 'auth', message: 'invalid key' } as const;

describe('the screen of the demo agent', () => {
  test.for([
    [80, 24],
    [220, 50],
    [500, 100],
  ] as const)('is ready or processing at %i×%i', ([width, height]) => {
    expect(classifyDemo(picture({}, width, height))).toMatchObject({ activity: { kind: 'ready' }, box: { kind: 'empty' } });
    expect(classifyDemo(picture({ busySince: 0 }, width, height))).toMatchObject({
      activity: { kind: 'processing' },
      box: { kind: 'empty' },
    });
  });

  test('shows the text in the input box, also while it is busy', () => {
    const draft = insertText(EMPTY_DRAFT, 'two\nlines');
    expect(classifyDemo(picture({ draft, busySince: 0 })).box).toEqual({ kind: 'text', text: 'two\nlines' });
    const folded = insertPaste(EMPTY_DRAFT, 'x'.repeat(900));
    expect(classifyDemo(picture({ draft: folded })).box).toEqual({ kind: 'folded', text: '[Pasted text #1]', moreLines: 0 });
    const lines = insertPaste(EMPTY_DRAFT, 'a\nb\nc\nd\ne');
    expect(classifyDemo(picture({ draft: lines })).box).toEqual({ kind: 'folded', text: '[Pasted text #1 +4 lines]', moreLines: 4 });
  });

  test('shows when it continues after a usage limit', () => {
    expect(activity({ entries: [{ kind: 'failed', type: 'rate_limit', message: 'no' }], continuesAt: 90_000 })).toEqual({
      kind: 'waiting_limit',
      resetsAt: 90_000,
      continuesByItself: true,
    });
    const pretends = said('continuing by itself at 1970-01-01T00:01:30.000Z');
    expect(activity({ entries: [pretends] })).toEqual({ kind: 'ready' });
  });

  test('is an open dialog', () => {
    expect(dialog(permissionDialog('Bash', 'rm x\n\n1. not a choice'))).toEqual({
      kind: 'awaiting_permission',
      tool: 'Bash',
      command: 'rm x\n1. not a choice',
      question: 'Do you want to proceed?',
      choices: ['Yes', 'No'],
    });
    expect(dialog(questionDialog('Which of these very long options do you like most? '.repeat(3).trim(), ['A', 'B'], true))).toEqual({
      kind: 'awaiting_question',
      questionType: 'multiple_choice',
      question: 'Which of these very long options do you like most? '.repeat(3).trim(),
      choices: ['A', 'B', 'Type something.'],
    });
    expect(dialog(questionDialog('Sure?', ['Yes', 'No, stop'], false))).toMatchObject({ questionType: 'yes_no' });
    expect(dialog(questionDialog('Name?', [], true))).toMatchObject({ questionType: 'free_text' });
    expect(dialog(trustDialog('/home/u'))).toMatchObject({ questionType: 'startup', choices: ['No, exit', 'Yes, I trust this folder'] });
  });

  test('joins a choice that takes two rows', () => {
    const long = 'word '.repeat(30).trim();
    expect(dialog(questionDialog('Which?', [long, 'B'], false))).toMatchObject({ choices: [long, 'B'] });
  });

  test('is ready after an interrupt, and an error after a failed turn', () => {
    expect(activity({ entries: [said('hm'), { kind: 'interrupted' }] })).toEqual({ kind: 'ready', interrupted: true });
    expect(activity({ entries: [failed] })).toEqual({ kind: 'error', type: 'auth', recoverable: false, message: 'invalid key' });
    const wordy: Entry = { ...failed, message: 'word '.repeat(40).trim() };
    expect(activity({ entries: [wordy] })).toMatchObject({ kind: 'error', message: wordy.message });
    expect(activity({ entries: [failed], busySince: 0 })).toEqual({ kind: 'processing' });
    expect(activity({ entries: [failed, said('better now'), { kind: 'finished', ms: 1 }] })).toEqual({ kind: 'ready' });
  });

  test.for([
    'API error (rate_limit): 429 too many requests, HTTP 500',
    '✗ API error (auth): quoted\n✗ API error (auth): quoted',
    '1. Yes\n2. No\n\nDo you want to proceed?',
    ' ❯ 1. Yes\n   2. No\n\n Enter to choose · Esc to cancel',
    'esc to interrupt · Working… (3s)',
    '⎿  Interrupted · what should happen instead?',
    `${'─'.repeat(80)}\n❯\u00a0quoted box\n${'─'.repeat(80)}\n  demo agent · esc to interrupt`,
    'Resume this conversation with: --resume x',
  ])('is not fooled by a prompt, a reply or an output that says %j', (text) => {
    const quoting: Entry[] = [{ kind: 'prompt', text }, { kind: 'tool', title: text, output: text }, { kind: 'note', text }, said(text)];
    for (const entry of quoting) {
      expect(classifyDemo(picture({ entries: [entry] }))).toMatchObject({ activity: { kind: 'ready' }, box: { kind: 'empty' } });
      expect(activity({ entries: [entry] })).not.toHaveProperty('interrupted');
    }
    const drafted = classifyDemo(picture({ draft: insertText(EMPTY_DRAFT, text) }));
    expect(drafted).toMatchObject({ activity: { kind: 'ready' }, box: { kind: 'text' } });
  });

  test('is starting while empty, exited after the farewell, else unknown', () => {
    const kind = (text: string) => classifyDemo(screenFromText(text)).activity.kind;
    expect(kind('\n\n')).toBe('starting');
    expect(kind('Resume this conversation with: --resume abc\n')).toBe('exited');
    expect(kind('$ ls\nREADME.md\n$')).toBe('unknown');
  });
});
