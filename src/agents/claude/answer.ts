import { showsNothing } from '../../base/shows-nothing.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { DialogStep } from '../agent.ts';
import { settledRow } from '../screen-rules/dialog.ts';
import { areRowNumbers, isRowNumber, matchingChoice } from '../screen-rules/matching-choice.ts';
import { makeSafe } from './safe-text.ts';
import type { ClaudeChoice } from './screen/choices.ts';
import { type ClaudeDialog, readDialog } from './screen/dialog.ts';
import { readFrame } from './screen/frame.ts';

/** The row that accepts text; with text in it, its label is that text. */
const EMPTY_FIELD = /^(?:Type something\.?|Tell Claude what to change)$/;
const LEAVE = /^(?:esc|escape|cancel)$/i;

/**
 * Every key here names a target, not a distance: digits, Home and End. A slow agent shows a key's effect late, and a second
 * Down pressed meanwhile would run past the row (2.1.325 begins again at the other end), right before an Enter.
 */
export function startupStep(screen: Screen): DialogStep | undefined {
  const dialog = openDialog(screen);
  if (dialog === undefined) return undefined;
  const target = settledRow(dialog);
  return target === undefined ? undefined : pick(dialog.choices, target);
}

/** One step towards `choice`: a number, a label, several of them with commas where more may be ticked, free text, or `cancel`. */
export function answerStep(screen: Screen, choice: string): DialogStep | undefined {
  const dialog = openDialog(screen);
  if (dialog === undefined || showsNothing(choice)) return undefined;
  const { choices } = dialog;
  const target = matchingChoice(choices, choice);
  if (target === undefined && LEAVE.test(choice.trim()))
    return { keys: ['Escape'], answers: true, why: 'close the dialog without an answer' };
  // What the other rows of a menu do, llmc does not know.
  if (dialog.kind === 'menu') return target === undefined ? undefined : pick(choices, target);
  if (dialog.submits) return target === undefined ? undefined : pick(choices, target);
  if (choices.some(({ checked, label }) => checked !== null && !EMPTY_FIELD.test(label))) return tickStep(choices, choice);
  if (target !== undefined) return pick(choices, target);
  return areRowNumbers(choice) ? undefined : writeStep(choices, choice);
}

/** A dialog with several questions ends with a page that submits all answers. */
export function submitStep(screen: Screen): DialogStep | undefined {
  const dialog = openDialog(screen);
  return dialog?.submits ? pick(dialog.choices, 0) : undefined;
}

function openDialog(screen: Screen): ClaudeDialog | undefined {
  return readDialog(readFrame(screen));
}

const LEAVE_FIELD: DialogStep = { keys: ['Up'], why: 'leave the text field, where a digit would be text' };

function pick(choices: readonly ClaudeChoice[], target: number): DialogStep | undefined {
  const wanted = choices[target];
  const selected = choices.findIndex((choice) => choice.selected);
  if (wanted === undefined) return undefined;
  if (wanted.key !== undefined) return { keys: [wanted.key], answers: true, why: `choose "${wanted.label}"` };
  if (isField(choices, selected) && selected !== target) return LEAVE_FIELD;
  if (selected === target) return { keys: ['Enter'], answers: true, why: `confirm "${wanted.label}"` };
  // A digit answers at once.
  if (wanted.number !== null && wanted.number <= 9)
    return { keys: [String(wanted.number)], answers: true, why: `choose "${wanted.label}"` };
  return { keys: [towards(choices.length, selected, target)], why: `move to "${wanted.label}"` };
}

function towards(length: number, selected: number, target: number): string {
  if (target === length - 1) return 'End';
  if (target === 0) return 'Home';
  return selected < target ? 'Down' : 'Up';
}

/** Sets exactly the wanted ticks, writes what no row has, then continues: numbered lists by Tab, the list of MCP servers by its last row. */
function tickStep(choices: readonly ClaudeChoice[], choice: string): DialogStep | undefined {
  const wanted = wantedTicks(choices, choice);
  if (wanted === undefined) return undefined;
  const { rows, text } = wanted;
  const field = text === undefined ? -1 : findField(choices);
  const wrong = choices.findIndex(({ checked }, index) => checked !== null && index !== field && checked !== rows.includes(index));
  const row = choices[wrong];
  if (row !== undefined) return toggle(choices, wrong, row);
  const write = text === undefined ? 'written' : writeTicked(choices, field, text);
  if (write !== 'written') return write;
  const numbered = choices.some(({ number }) => number !== null);
  // Tab leads from the text field to this row, and not further.
  if (choices.some(({ selected, number, label }) => selected && number === null && label === 'Submit'))
    return { keys: ['Enter'], why: 'continue: everything is ticked as wanted' };
  return numbered ? { keys: ['Tab'], why: 'continue: everything is ticked as wanted' } : pick(choices, choices.length - 1);
}

/** The rows that an answer with commas names, and the rest of it, which belongs in the text field. Undefined if there is no place for it. */
function wantedTicks(
  choices: readonly ClaudeChoice[],
  choice: string,
): { readonly rows: readonly number[]; readonly text: string | undefined } | undefined {
  const parts = choice.split(',').map((part) => ({ part: part.trim(), row: matchingChoice(choices, part) }));
  const rows = parts.flatMap(({ row }) => (row === undefined ? [] : [row]));
  const rest = parts.filter(({ row }) => row === undefined).map(({ part }) => part);
  if (rows.some((row) => choices[row]?.checked === null) || rest.some((part) => part === '' || isRowNumber(part))) return undefined;
  if (rest.length > 0 && findField(choices) === -1) return undefined;
  return { rows, text: rest.length === 0 ? undefined : oneLine(rows.length === 0 ? choice : rest.join(', ')) };
}

function toggle(choices: readonly ClaudeChoice[], index: number, row: ClaudeChoice): DialogStep | undefined {
  const deed = `${row.checked ? 'untick' : 'tick'} "${row.label}"`;
  if (
    isField(
      choices,
      choices.findIndex((choice) => choice.selected),
    )
  )
    return LEAVE_FIELD;
  if (row.number !== null) return { keys: [String(row.number)], why: deed };
  return row.selected ? { keys: ['Space'], why: deed } : pick(choices, index);
}

/** In a list with ticks, the digit of the text field ticks it, and a paste is then written there (2.1.325). */
function writeTicked(choices: readonly ClaudeChoice[], field: number, text: string): DialogStep | 'written' | undefined {
  const { label = '', checked = null, number = null, selected = false } = choices[field] ?? {};
  if (label !== '' && text.startsWith(label)) return 'written';
  if (!EMPTY_FIELD.test(label)) return selected ? { keys: ['C-u'], why: 'clear the text field' } : undefined;
  return checked === true || number === null
    ? { text, keys: [], why: 'write the answer' }
    : { keys: [String(number)], why: `tick "${label}"` };
}

const oneLine = (choice: string): string => makeSafe(choice).text.replace(/\s+/g, ' ').trim();

function writeStep(choices: readonly ClaudeChoice[], choice: string): DialogStep | undefined {
  const text = oneLine(choice);
  const selected = choices.findIndex((one) => one.selected);
  const empty = choices.findIndex(({ label }) => EMPTY_FIELD.test(label));
  if (empty !== -1 && empty === selected) return { text, keys: [], why: 'write the answer' };
  if (empty !== -1) return intoField(choices, empty);
  if (!isField(choices, selected)) return undefined;
  // The screen cuts a long answer at its edge.
  const written = choices[selected]?.label ?? '';
  return written !== '' && text.startsWith(written)
    ? { keys: ['Enter'], answers: true, why: 'send the written answer' }
    : { keys: ['C-u'], why: 'clear the text field' };
}

/** The digit of a text field only moves the cursor there; it does not answer. */
function intoField(choices: readonly ClaudeChoice[], field: number): DialogStep | undefined {
  const step = pick(choices, field);
  return step && { ...step, answers: false };
}

/** The field is the last row, apart from the row that leaves for a chat. */
function isField(choices: readonly ClaudeChoice[], index: number): boolean {
  const own = choices.filter(({ label, number }) => number !== null && label !== 'Chat about this');
  const last = own.at(-1);
  if (last === undefined || choices[index] !== last) return false;
  return EMPTY_FIELD.test(last.label) || choices.some(({ label }) => label === 'Chat about this');
}

function findField(choices: readonly ClaudeChoice[]): number {
  return choices.findIndex((_, index) => isField(choices, index));
}
