import type { Activity } from '../../activity.ts';
import { menu, onDialog, permission, question, questionType, unfamiliar } from '../../screen-rules/dialog-rules.ts';
import { readDeadPane, readLaunchError, readResumeHint } from '../../screen-rules/exit.ts';
import { hasBox, readBlank, readFreeBox, type ScreenRule } from '../../screen-rules/rules.ts';
import { readCompacting, readRetrying, readStatusLine, readStreaming, readTitleBusy } from './busy.ts';
import type { CodexDialog } from './dialog.ts';
import { LAUNCH_ERRORS, TEXTS } from './texts.ts';
import { readError, readInterrupted, readLimit } from './turn-end.ts';
import type { CodexView } from './view.ts';

export const RULES: readonly ScreenRule<CodexView>[] = [
  // This rule precedes the end of the process, which the refusal explains.
  { name: 'Codex refused to start', confidence: 0.8, read: readRefusal },
  { name: 'tmux reports that the pane is dead', confidence: 0.95, read: readDeadPane },
  { name: 'Codex printed its resume hint last', confidence: 0.9, read: readLeaving },
  { name: 'a start-up dialog is open', confidence: 0.95, read: onDialog('startup', startup) },
  { name: 'a permission dialog is open', confidence: 0.95, read: onDialog('permission', permission) },
  { name: 'a question is open', confidence: 0.95, read: onDialog('question', readQuestion) },
  // The dialog opens when a limit is near, and on top of a limit that was reached. llmc answers it by itself in both cases.
  {
    name: 'Codex offers another model because of a usage limit',
    confidence: 0.95,
    read: onDialog('nudge', (dialog, view) => readLimit(view) ?? startup(dialog)),
  },
  { name: 'the conversation is open elsewhere', confidence: 0.95, read: onDialog('locked', startup) },
  // `answerStep` presses no key in a menu, which can belong to a person: it offers no choices.
  { name: 'a person has a menu open', confidence: 0.7, read: onDialog('menu', (dialog) => menu({ ...dialog, choices: [] })) },
  { name: 'a dialog is open', confidence: 0.7, read: onDialog('other', unfamiliar) },
  { name: 'the status line shows that Codex waits for the next try', confidence: 0.95, read: readRetrying },
  { name: 'the status line shows that the conversation is being compacted', confidence: 0.95, read: readCompacting },
  { name: 'the terminal’s title shows that Codex works', confidence: 0.95, read: readTitleBusy },
  { name: 'the status line shows that Codex works', confidence: 0.95, read: readStatusLine },
  { name: 'a reply has no end yet', confidence: 0.6, read: readStreaming },
  { name: 'the turn ended at the usage limit', confidence: 0.9, read: readLimit },
  { name: 'the turn ended with an error', confidence: 0.85, read: readError },
  { name: 'the box is free after an interruption', confidence: 0.9, read: readInterrupted },
  { name: 'the title shows ready, and the box is free', confidence: 0.95, read: readTitledReady },
  { name: 'the box is free', confidence: 0.8, read: readFreeBox },
  { name: 'the model line is not visible yet', confidence: 0.6, read: readStarting },
  { name: 'the screen is still blank', confidence: 0.3, read: readBlank },
];

function startup(dialog: CodexDialog): Activity {
  return question(dialog, 'startup');
}

function readQuestion(dialog: CodexDialog): Activity {
  return question(dialog, questionType(dialog.choices.map(({ label }) => label.replace(/ \(recommended\)/i, ''))));
}

function readRefusal(view: CodexView): Activity | undefined {
  if (hasBox(view) || view.frame.ghost || view.dialog !== undefined) return undefined;
  return readLaunchError(view.frame, LAUNCH_ERRORS, { rows: 2, message: (rows) => rows.join('') });
}

function readLeaving(view: CodexView): Activity | undefined {
  return hasBox(view) ? undefined : readResumeHint(view.frame, TEXTS.leftBehind, 2);
}

function readTitledReady(view: CodexView): Activity | undefined {
  return hasBox(view) && view.frame.title?.state === 'ready' ? { kind: 'ready' } : undefined;
}

/** Codex draws the prompt 330 ms after the launch, before every start-up dialog: text sent then is lost. */
function readStarting({ frame }: CodexView): Activity | undefined {
  return frame.ghost || frame.lines.some((line) => TEXTS.banner.test(line)) ? { kind: 'starting' } : undefined;
}
