import type { Screen } from '../../terminal/screen.ts';
import type { DialogStep } from '../agent.ts';
import { areRowNumbers, matchingChoice } from '../screen-rules/matching-choice.ts';
import { type DemoDialog, readDialog } from './dialogs.ts';

const EMPTY_FREE_TEXT = 'Type something.';

/** Moves towards the choice that trusts the folder, one capture per step; presses Enter only when it is selected. */
export function startupStep(screen: Screen): DialogStep | undefined {
  const dialog = readDialog(screen);
  if (dialog?.kind !== 'startup') return undefined;
  const target = dialog.choices.findIndex(({ label }) => /^yes\b.*\btrust\b/i.test(label));
  return target === -1 ? undefined : towards(dialog, target);
}

export function answerStep(screen: Screen, choice: string): DialogStep | undefined {
  const dialog = readDialog(screen);
  if (dialog === undefined) return undefined;
  const free = dialog.freeText ? dialog.choices.length - 1 : -1;
  const target = matchingChoice(free === -1 ? dialog.choices : dialog.choices.slice(0, free), choice);
  if (target === undefined && (free === -1 || (free > 0 && areRowNumbers(choice)))) return undefined;
  if (target === undefined) return writeStep(dialog, free, choice.replace(/\s+/g, ' ').trim());
  if (dialog.kind === 'startup') return towards(dialog, target);
  // A digit answers at once, except in a text field, where it would be part of the text.
  if (dialog.choices[free]?.selected) return { keys: ['Up'], why: 'leave the text field' };
  return { keys: [String(target + 1)], answers: true, why: `choose "${dialog.choices[target]?.label}"` };
}

function towards(dialog: DemoDialog, target: number): DialogStep {
  const selected = dialog.choices.findIndex((choice) => choice.selected);
  const label = dialog.choices[target]?.label ?? '';
  if (selected === target) return { keys: ['Enter'], answers: true, why: `confirm "${label}"` };
  return { keys: [selected < target ? 'Down' : 'Up'], why: `move to "${label}"` };
}

function writeStep(dialog: DemoDialog, free: number, text: string): DialogStep | undefined {
  if (text === '') return undefined;
  const field = dialog.choices[free];
  if (!field?.selected) return { keys: ['Down'], why: 'move to the text field' };
  if (field.label === EMPTY_FREE_TEXT) return { keys: Array.from(text, keyFor), why: 'write the answer' };
  // The program wraps long text and cuts it after some rows, so ignore blanks and compare only the start.
  const bare = (shown: string) => shown.replace(/\s+/g, '');
  if (bare(text).startsWith(bare(field.label))) return { keys: ['Enter'], answers: true, why: 'send the written answer' };
  return { keys: Array.from(field.label, () => 'BSpace'), why: 'clear the text field' };
}

function keyFor(character: string): string {
  return character === ' ' ? 'Space' : character;
}
