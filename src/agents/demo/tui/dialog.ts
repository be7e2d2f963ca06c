import type { Input } from './screen/keys.ts';

const FREE_TEXT_LABEL = 'Type something.';

export interface Dialog {
  readonly kind: 'trust' | 'permission' | 'question';
  readonly title: string;
  /** Shown between title and question, such as the command that wants to run. */
  readonly detail: string;
  readonly question: string;
  readonly choices: readonly string[];
  /** The last choice accepts free text. */
  readonly freeText: boolean;
  readonly selected: number;
  readonly typed: string;
}

export type Answer =
  | { readonly kind: 'choice'; readonly index: number; readonly label: string }
  | { readonly kind: 'text'; readonly text: string };

export type DialogOutcome =
  | { readonly kind: 'open'; readonly dialog: Dialog }
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'rejected' };

export function trustDialog(cwd: string): Dialog {
  return {
    ...blank('trust', 'Opening a folder:', cwd),
    question: 'Do you trust the files in this folder? The demo agent can read, change and run them.',
    // The unsafe choice is first, as in real CLIs, so that tests catch a blind Enter.
    choices: ['No, exit', 'Yes, I trust this folder'],
  };
}

export function permissionDialog(tool: string, command: string): Dialog {
  return { ...blank('permission', `Permission needed: ${tool}`, command), question: 'Do you want to proceed?', choices: ['Yes', 'No'] };
}

export function questionDialog(question: string, choices: readonly string[], freeText: boolean): Dialog {
  return { ...blank('question', '☐ Question', ''), question, choices: freeText ? [...choices, FREE_TEXT_LABEL] : choices, freeText };
}

export function dialogInput(dialog: Dialog, input: Input): DialogOutcome {
  const last = dialog.choices.length - 1;
  const writing = dialog.freeText && dialog.selected === last;
  const open = (change: Partial<Dialog>): DialogOutcome => ({ kind: 'open', dialog: { ...dialog, ...change } });

  if (input.kind === 'key') {
    switch (input.name) {
      case 'up':
        return open({ selected: Math.max(0, dialog.selected - 1) });
      case 'down':
        return open({ selected: Math.min(last, dialog.selected + 1) });
      case 'backspace':
        return open({ typed: writing ? dialog.typed.slice(0, -1) : dialog.typed });
      case 'escape':
      case 'ctrl-c':
        return { kind: 'rejected' };
      case 'enter':
        if (writing) return dialog.typed.trim() === '' ? open({}) : { kind: 'answered', answer: { kind: 'text', text: dialog.typed } };
        return pick(dialog, dialog.selected);
      default:
        return open({});
    }
  }
  const digit = /^[1-9]$/.test(input.text) ? Number(input.text) - 1 : undefined;
  if (input.kind === 'text' && digit !== undefined && dialog.kind !== 'trust' && !writing) {
    if (digit > last) return open({});
    return dialog.freeText && digit === last ? open({ selected: last }) : pick(dialog, digit);
  }
  // A permission dialog ignores text; a dialog with a text field uses it as the answer. Claude Code 2.1 does both.
  return dialog.freeText ? open({ selected: last, typed: dialog.typed + input.text }) : open({});
}

function pick(dialog: Dialog, index: number): DialogOutcome {
  return { kind: 'answered', answer: { kind: 'choice', index, label: dialog.choices[index] ?? '' } };
}

function blank(kind: Dialog['kind'], title: string, detail: string): Dialog {
  return { kind, title, detail, question: '', choices: [], freeText: false, selected: 0, typed: '' };
}
