import type { Activity } from '../../activity.ts';
import { type Dialog, type DialogKind, OWN_ROW } from './dialog.ts';
import type { Seen } from './seen.ts';
import { limitActivity } from './turn-end.ts';

type QuestionType = Extract<Activity, { kind: 'awaiting_question' }>['questionType'];

export function readStartupDialog(seen: Seen): Activity | undefined {
  return when(seen, 'startup', (dialog) => question(dialog, 'startup'));
}

export function readPermission(seen: Seen): Activity | undefined {
  return when(seen, 'permission', ({ tool, question, choices }) => {
    return { kind: 'awaiting_permission', tool, question, choices: choices.map(({ label }) => label) };
  });
}

export function readQuestion(seen: Seen): Activity | undefined {
  return when(seen, 'question', (dialog) => question(dialog, questionType(dialog)));
}

/** Comes up when Claude Code is told not to go on by itself after a usage limit. */
export function readLimitDialog(seen: Seen): Activity | undefined {
  return when(seen, 'limit', () => limitActivity(seen, false));
}

/** Model, rewind, transcript and the like: nothing can be typed, and nobody is asked anything. */
export function readMenu(seen: Seen): Activity | undefined {
  return when(seen, 'menu', () => ({ kind: 'unknown' }));
}

export function readOtherDialog(seen: Seen): Activity | undefined {
  return when(seen, 'other', (dialog) => question(dialog, 'multiple_choice'));
}

function when({ dialog }: Seen, kind: DialogKind, read: (dialog: Dialog) => Activity): Activity | undefined {
  return dialog?.kind === kind ? read(dialog) : undefined;
}

function question({ question, choices }: Dialog, questionType: QuestionType): Activity {
  const labels = choices.map(({ label }) => label).filter((label) => !OWN_ROW.test(label) && !/^(?:Next|Submit)$/.test(label));
  return { kind: 'awaiting_question', questionType, question, choices: labels };
}

function questionType({ choices }: Dialog): QuestionType {
  const own = choices.map(({ label }) => label.toLowerCase()).filter((label) => !OWN_ROW.test(label));
  const first = own.slice(0, 2).sort().join();
  return first === 'no,yes' ? 'yes_no' : 'multiple_choice';
}
