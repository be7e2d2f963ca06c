import type { Screen } from '../../terminal/screen.ts';
import type { DialogStep } from '../agent.ts';
import type { Choice } from './choices.ts';
import { textsOn } from './classify.ts';
import { type Dialog, LIMIT_ANSWER, readDialog, STARTUP_DIALOGS } from './dialog.ts';
import { readFrame } from './frame.ts';
import { makeSafe } from './safe-text.ts';

/** The row one may write into; once something is written, its label is that text. */
const EMPTY_FIELD = /^(?:Type something\.?|Tell Claude what to change)$/;
const SUBMIT_PAGE = /^Ready to submit your answers\?$/;
const LEAVE = /^(?:esc|escape|cancel)$/i;

/** Towards the row the user has already decided on, one look at a time; undefined where a person must choose. */
export function startupStep(screen: Screen): DialogStep | undefined {
  const dialog = openDialog(screen);
  if (dialog?.kind !== 'startup' && dialog?.kind !== 'limit') return undefined;
  const wanted = dialog.kind === 'limit' ? LIMIT_ANSWER : STARTUP_DIALOGS.find(({ name }) => name === dialog.name)?.answer;
  const target = wanted === undefined ? -1 : dialog.choices.findIndex(({ label }) => wanted.test(label));
  return target === -1 ? undefined : towards(dialog.choices, target);
}

/** One step towards `choice`: a number, a label, several of them with commas where more may be ticked, free text, or `cancel`. */
export function answerStep(screen: Screen, choice: string): DialogStep | undefined {
  const dialog = openDialog(screen);
  if (dialog === undefined || dialog.kind === 'menu' || choice.trim() === '') return undefined;
  if (LEAVE.test(choice.trim()) && matching(dialog.choices, choice) === undefined)
    return { keys: ['Escape'], why: 'close the dialog without an answer' };
  if (SUBMIT_PAGE.test(dialog.question)) return towards(dialog.choices, matching(dialog.choices, choice) ?? 0);
  if (dialog.choices.some(({ checked, label }) => checked !== null && !EMPTY_FIELD.test(label))) return tickStep(dialog, choice);
  const target = matching(dialog.choices, choice);
  return target === undefined ? writeStep(dialog.choices, choice) : towards(dialog.choices, target);
}

function openDialog(screen: Screen): Dialog | undefined {
  return readDialog(readFrame(screen, textsOn(screen)));
}

/** Enter only on the selected row that carries the wanted words; else one move, and another look. */
function towards(choices: readonly Choice[], target: number): DialogStep | undefined {
  const wanted = choices[target];
  const selected = choices.findIndex((choice) => choice.selected);
  if (wanted === undefined) return undefined;
  if (selected === target) return { keys: ['Enter'], why: `confirm "${wanted.label}"` };
  // The selected row is out of sight on a short screen: every list moves on with Down and begins again at its end.
  if (selected === -1) return { keys: ['Down'], why: `look for "${wanted.label}"` };
  return { keys: [selected < target ? 'Down' : 'Up'], why: `move to "${wanted.label}"` };
}

function matching(choices: readonly Choice[], choice: string): number | undefined {
  const wanted = choice.trim().toLowerCase();
  const find = (test: (one: Choice) => boolean) => choices.flatMap((one, index) => (test(one) ? [index] : []));
  const exact = find(({ label }) => label.toLowerCase() === wanted);
  if (exact[0] !== undefined) return exact[0];
  const byNumber = /^\d{1,2}\.?$/.test(wanted) ? find(({ number }) => number === Number.parseInt(wanted, 10)) : [];
  if (byNumber[0] !== undefined) return byNumber[0];
  const unnumbered = /^\d{1,2}$/.test(wanted) && choices.every(({ number }) => number === null) ? Number(wanted) - 1 : -1;
  if (choices[unnumbered] !== undefined) return unnumbered;
  // Beginnings count in both directions: a person shortens, and a narrow screen shows the first line of a label only.
  const begins = find(
    ({ label }) => label.toLowerCase().startsWith(wanted) || (label.length >= 20 && wanted.startsWith(label.toLowerCase())),
  );
  return begins.length === 1 ? begins[0] : undefined;
}

/** Ticks and unticks until exactly the wanted rows are set, then goes to `Next` or `Submit`. */
function tickStep(dialog: Dialog, choice: string): DialogStep | undefined {
  const { choices } = dialog;
  const wanted = choice.split(',').map((one) => matching(choices, one));
  if (wanted.some((index) => index === undefined || choices[index]?.checked === null)) return undefined;
  const wrong = choices.findIndex(({ checked }, index) => checked !== null && checked !== wanted.includes(index));
  if (wrong !== -1) return towards(choices, wrong);
  return towards(
    choices,
    choices.findIndex(({ label, number }) => number === null && /^(?:Next|Submit|Enable selected)$/.test(label)),
  );
}

function writeStep(choices: readonly Choice[], choice: string): DialogStep | undefined {
  const text = makeSafe(choice).text.replace(/\s+/g, ' ').trim();
  const field = choices.findIndex(({ label }) => EMPTY_FIELD.test(label));
  if (field !== -1) return choices[field]?.selected ? { text, keys: [], why: 'write the answer' } : towards(choices, field);
  // What was written stands in the row itself, cut at the edge of the screen.
  const written = choices.findIndex(({ label, selected }) => selected && label.length > 0 && text.startsWith(label));
  return written === -1 ? undefined : { keys: ['Enter'], why: 'send the written answer' };
}
