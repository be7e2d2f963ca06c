import type { Activity } from '../activity.ts';
import type { OpenDialog } from './dialog.ts';
import type { ScreenView } from './rules.ts';

type Question = Extract<Activity, { kind: 'awaiting_question' }>;
type QuestionType = Question['questionType'];

/** Reads only dialogs of one kind. */
export function onDialog<V extends ScreenView>(
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

export function question({ question, choices, several, login }: OpenDialog, questionType: QuestionType): Question {
  const labels = choices.map(({ label }) => label);
  return {
    kind: 'awaiting_question',
    questionType,
    question,
    choices: labels,
    ...(several === true && { several }),
    ...(login === true && { login }),
  };
}

/** A dialog that no rule names. Without choices that llmc can read, only its screen says what it asks. */
export function unfamiliar(dialog: OpenDialog): Question {
  return { ...question(dialog, dialog.choices.length === 0 ? 'unread' : 'multiple_choice'), unfamiliar: true };
}

const LONGEST_TITLE = 60;

/** A menu that a person opened asks nothing; the same screen in the middle of a turn is a dialog of the agent. */
export function menu(dialog: OpenDialog): Activity {
  const title = dialog.question.replace(/\s+/g, ' ').slice(0, LONGEST_TITLE);
  return { kind: 'unknown', opened: { what: 'menu', title, key: 'Esc', asks: unfamiliar({ ...dialog, question: title }) } };
}

/** `yes_no` when the first two labels are those two words. */
export function questionType(labels: readonly string[]): QuestionType {
  const first = labels.slice(0, 2).map((label) => label.toLowerCase());
  return first.sort().join() === 'no,yes' ? 'yes_no' : 'multiple_choice';
}
