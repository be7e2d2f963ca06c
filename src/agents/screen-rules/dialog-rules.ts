import type { Activity } from '../activity.ts';
import type { OpenDialog } from './dialog.ts';
import type { View } from './rules.ts';

type QuestionType = Extract<Activity, { kind: 'awaiting_question' }>['questionType'];

/** Reads only dialogs of one kind. */
export function onDialog<V extends View>(
  kind: NonNullable<V['dialog']>['kind'],
  read: (dialog: NonNullable<V['dialog']>, view: V) => Activity | undefined,
): (view: V) => Activity | undefined {
  return (view) => {
    const dialog: V['dialog'] = view.dialog;
    return dialog?.kind === kind ? read(dialog, view) : undefined;
  };
}

export function permission({ tool, command, question, choices }: OpenDialog): Activity {
  const labels = choices.map(({ label }) => label);
  return { kind: 'awaiting_permission', tool, ...(command !== undefined && { command }), question, choices: labels };
}

export function question({ question, choices }: OpenDialog, questionType: QuestionType): Activity {
  return { kind: 'awaiting_question', questionType, question, choices: choices.map(({ label }) => label) };
}

const LONGEST_TITLE = 60;

/** A person has a menu open: llmc cannot type, and the agent asks nothing. */
export function menu({ question: heading }: OpenDialog): Activity {
  return { kind: 'unknown', opened: { what: 'menu', title: heading.replace(/\s+/g, ' ').slice(0, LONGEST_TITLE), key: 'Esc' } };
}

/** `yes_no` when the first two labels are those two words. */
export function questionType(labels: readonly string[]): QuestionType {
  const first = labels.slice(0, 2).map((label) => label.toLowerCase());
  return first.sort().join() === 'no,yes' ? 'yes_no' : 'multiple_choice';
}
