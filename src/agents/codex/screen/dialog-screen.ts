import type { Activity } from '../../activity.ts';
import type { Dialog, DialogKind } from './dialog.ts';
import type { Seen } from './seen.ts';
import { readLimit } from './turn-end.ts';

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

/** It comes up when a limit is near, and on top of one that was hit. llmc answers it by itself in both cases. */
export function readNudge(seen: Seen): Activity | undefined {
  return when(seen, 'nudge', (dialog) => readLimit(seen) ?? question(dialog, 'startup'));
}

export function readLocked(seen: Seen): Activity | undefined {
  return when(seen, 'locked', (dialog) => question(dialog, 'startup'));
}

/** Model, permissions, warnings and the like: nothing can be typed, and nobody is asked anything. */
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
  return { kind: 'awaiting_question', questionType, question, choices: choices.map(({ label }) => label) };
}

function questionType({ choices }: Dialog): QuestionType {
  const first = choices.slice(0, 2).map(({ label }) => label.toLowerCase().replace(' (recommended)', ''));
  return first.sort().join() === 'no,yes' ? 'yes_no' : 'multiple_choice';
}
