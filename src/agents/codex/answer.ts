import { showsNothing } from '../../base/shows-nothing.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { DialogStep } from '../agent.ts';
import { settledRow } from '../screen-rules/dialog.ts';
import { areRowNumbers, matchingChoice } from '../screen-rules/matching-choice.ts';
import { makeSafe } from './safe-text.ts';
import { type CodexDialog, readDialog } from './screen/dialog.ts';
import { readFrame } from './screen/frame.ts';

const LEAVE = /^(?:esc|escape|cancel)$/i;
/** The row of a question that accepts a free answer, in the line of notes. */
const OWN_ANSWER = /^None of the above$/;
const LOCKED_KEYS: Readonly<Record<string, string>> = { Retry: 'r', Fork: 'f', Exit: 'Escape' };

/** The next key for a dialog that the user's configuration, or caution, has answered already. */
export function startupStep(screen: Screen): DialogStep | undefined {
  const dialog = readDialog(readFrame(screen));
  if (dialog === undefined) return undefined;
  const target = settledRow(dialog);
  return target === undefined ? undefined : pick(dialog, target);
}

/** One step towards `choice`: a number, a label, free text in answer to a question, or `cancel`. */
export function answerStep(screen: Screen, choice: string): DialogStep | undefined {
  const dialog = readDialog(readFrame(screen));
  if (dialog === undefined || dialog.kind === 'menu' || showsNothing(choice)) return undefined;
  const target = matchingChoice(dialog.choices, choice);
  if (dialog.kind === 'locked') return unlock(dialog, target);
  if (target === undefined && LEAVE.test(choice.trim()))
    return { keys: ['Escape'], answers: true, why: 'close the dialog without an answer' };
  if (target !== undefined) return pick(dialog, target);
  return dialog.kind === 'question' && !areRowNumbers(choice) ? writeStep(dialog, choice) : undefined;
}

/**
 * Press Enter only on a row that a capture shows as selected: every dialog of 0.166.0 selects its first row, which approves, trusts, updates
 * or changes the model. A digit names a target, not a distance; while a turn runs it answers at once, at start-up it mostly only moves.
 */
function pick({ kind, choices, notes }: CodexDialog, target: number): DialogStep | undefined {
  const wanted = choices[target];
  if (wanted === undefined) return undefined;
  if (notes !== undefined) return { keys: ['Tab'], why: 'close the notes, where a digit would be text' };
  if (wanted.selected) return { keys: ['Enter'], answers: true, why: `confirm "${wanted.label}"` };
  const step = { keys: [String(wanted.number)], why: `choose "${wanted.label}"` };
  return kind === 'startup' ? step : { ...step, answers: true };
}

/** Dialogs with keys of their own instead of a list; no key is selected. */
function unlock({ choices }: CodexDialog, target: number | undefined): DialogStep | undefined {
  const label = choices[target ?? -1]?.label ?? '';
  const key = LOCKED_KEYS[label];
  return key === undefined ? undefined : { keys: [key], answers: true, why: `choose "${label}"` };
}

/** A free answer: the last row, its notes opened with Tab, the text, a capture of it, Enter. */
function writeStep({ choices, notes }: CodexDialog, choice: string): DialogStep | undefined {
  const text = makeSafe(choice).text.replace(/\s+/g, ' ').trim();
  const own = choices.findIndex(({ label }) => OWN_ANSWER.test(label));
  if (own === -1 || text === '') return undefined;
  const isSelected = choices[own]?.selected === true;
  if (notes === undefined)
    return isSelected ? { keys: ['Tab'], why: 'open the notes' } : { keys: ['Down'], why: 'move to "None of the above"' };
  if (isSelected && notes === '') return { text, keys: [], why: 'write the answer' };
  return isSelected && squeeze(notes) === squeeze(text)
    ? { keys: ['Enter'], answers: true, why: 'send the written answer' }
    : { keys: ['Tab'], why: 'close and clear the notes' };
}

// Codex wraps long notes, also inside words.
const squeeze = (text: string): string => text.replace(/\s+/g, '');
