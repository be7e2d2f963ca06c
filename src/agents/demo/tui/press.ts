import { type Answer, dialogInput } from './dialog.ts';
import type { State } from './model.ts';
import { backspace, contentOf, deleteForward, EMPTY_DRAFT, insertPaste, insertText, killLine, move } from './screen/draft.ts';
import type { Input, KeyName } from './screen/keys.ts';

export type Effect =
  | { readonly kind: 'submit'; readonly text: string }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'reject' }
  | { readonly kind: 'leave' };

export interface Pressed {
  readonly state: State;
  readonly effect?: Effect;
}

const LEAVE_WINDOW_MS = 2_000;

/** The effect of one input on the screen, and the command for the program. */
export function press(state: State, input: Input, now: number): Pressed {
  if (state.dialog !== null) return pressInDialog(state, input);
  if (input.kind === 'text') return { state: { ...state, draft: insertText(state.draft, input.text) } };
  if (input.kind === 'paste') return { state: { ...state, draft: insertPaste(state.draft, input.text) } };
  return pressKey(state, input.name, now);
}

function pressInDialog(state: State, input: Input): Pressed {
  if (state.dialog === null) return { state };
  const outcome = dialogInput(state.dialog, input);
  switch (outcome.kind) {
    case 'open':
      return { state: { ...state, dialog: outcome.dialog } };
    case 'answered':
      return { state: { ...state, dialog: null }, effect: { kind: 'answer', answer: outcome.answer } };
    case 'rejected':
      return { state: { ...state, dialog: null }, effect: { kind: 'reject' } };
  }
}

function pressKey(state: State, name: KeyName, now: number): Pressed {
  const { draft } = state;
  switch (name) {
    case 'enter':
      return enter(state);
    case 'newline':
      return { state: { ...state, draft: insertText(draft, '\n') } };
    case 'backspace':
      return { state: { ...state, draft: backspace(draft) } };
    case 'delete':
      return { state: { ...state, draft: deleteForward(draft) } };
    case 'ctrl-u':
      return { state: { ...state, draft: killLine(draft) } };
    case 'left':
    case 'right':
    case 'home':
    case 'end':
      return { state: { ...state, draft: move(draft, name) } };
    case 'escape':
      return state.busySince === null ? { state } : { state, effect: { kind: 'interrupt' } };
    case 'ctrl-c':
      return controlC(state, now);
    case 'up':
    case 'down':
      return { state };
  }
}

function enter(state: State): Pressed {
  const { draft } = state;
  if (draft.cells[draft.cursor - 1] === '\\') return { state: { ...state, draft: insertText(backspace(draft), '\n') } };
  const text = contentOf(draft);
  if (text.trim() === '') return { state };
  return { state: { ...state, draft: EMPTY_DRAFT }, effect: { kind: 'submit', text } };
}

function controlC(state: State, now: number): Pressed {
  if (state.leaveUntil !== null && now <= state.leaveUntil && state.draft.cells.length === 0) return { state, effect: { kind: 'leave' } };
  if (state.busySince !== null && state.draft.cells.length === 0) return { state, effect: { kind: 'interrupt' } };
  return { state: { ...state, draft: EMPTY_DRAFT, leaveUntil: now + LEAVE_WINDOW_MS } };
}
