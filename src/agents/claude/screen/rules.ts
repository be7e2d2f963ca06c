import type { Activity } from '../../activity.ts';
import { menu, onDialog, permission, question, questionType, unfamiliar } from '../../screen-rules/dialog-rules.ts';
import { readDeadPane, readLaunchError, readResumeHint } from '../../screen-rules/exit.ts';
import { hasBox, readBlank, readFreeBox, type ScreenRule } from '../../screen-rules/rules.ts';
import { readBackground, readBusyHint, readCompacting, readRetrying, readSpinner } from './busy.ts';
import { type ClaudeDialog, OWN_ROW } from './dialog.ts';
import { limitActivity, readError, readInterrupted, readLimitBanner, readLimitResult } from './turn-end.ts';
import type { ClaudeView } from './view.ts';

/** The rules search for the texts of the version. */
export const RULES: readonly ScreenRule<ClaudeView>[] = [
  // This rule precedes the end of the process, which the refusal explains.
  { name: 'Claude Code refused to start', confidence: 0.8, read: readRefusal },
  { name: 'tmux reports that the pane is dead', confidence: 0.95, read: readDeadPane },
  { name: 'Claude Code printed its resume hint last', confidence: 0.9, read: readLeaving },
  { name: 'Claude Code was suspended with Ctrl+Z', confidence: 0.9, read: readSuspended },
  { name: 'a person has the transcript view open', confidence: 0.9, read: readTranscriptView },
  { name: 'a start-up dialog is open', confidence: 0.95, read: onDialog('startup', (dialog) => question(withAnswers(dialog), 'startup')) },
  { name: 'a permission dialog is open', confidence: 0.95, read: onDialog('permission', permission) },
  { name: 'a question is open', confidence: 0.95, read: onDialog('question', readQuestion) },
  // Claude Code opens it if its settings forbid to continue after a usage limit.
  { name: 'the usage-limit dialog is open', confidence: 0.95, read: onDialog('limit', (_, view) => limitActivity(view, false)) },
  { name: 'a person has a menu open', confidence: 0.7, read: onDialog('menu', menu) },
  {
    name: 'an unknown dialog is open',
    confidence: 0.6,
    read: onDialog('other', (dialog) => unfamiliar(withAnswers(dialog))),
  },
  { name: 'the spinner counts down to a retry', confidence: 0.95, read: readRetrying },
  { name: 'the spinner shows that the conversation is being compacted', confidence: 0.95, read: readCompacting },
  { name: 'a spinner is above the box', confidence: 0.95, read: readSpinner },
  { name: 'the footer offers "esc to interrupt"', confidence: 0.9, read: readBusyHint },
  { name: 'the footer shows that the usage limit is reached', confidence: 0.95, read: readLimitBanner },
  { name: 'the turn ended at the usage limit', confidence: 0.85, read: readLimitResult },
  { name: 'the turn ended with an API error', confidence: 0.75, read: readError },
  { name: 'a background task still runs', confidence: 0.85, read: readBackground },
  { name: 'the box is free after an interruption', confidence: 0.85, read: readInterrupted },
  { name: 'the box is free', confidence: 0.85, read: readFreeBox },
  { name: 'the banner is visible and the box is not yet', confidence: 0.5, read: readBanner },
  { name: 'the screen is still blank', confidence: 0.3, read: readBlank },
];

/** Without the rows that lead to an answer or submit it, and are not answers themselves. */
function withAnswers(dialog: ClaudeDialog): ClaudeDialog {
  const isAnswer = ({ label }: { readonly label: string }) => !OWN_ROW.test(label) && !/^(?:Next|Submit)$/.test(label);
  return { ...dialog, choices: dialog.choices.filter(isAnswer) };
}

function readQuestion(dialog: ClaudeDialog): Activity {
  const asked = withAnswers(dialog);
  return question(asked, questionType(asked.choices.map(({ label }) => label)));
}

function readRefusal(view: ClaudeView): Activity | undefined {
  if (hasBox(view) || view.frame.sheet !== undefined) return undefined;
  const message = (rows: readonly string[]) => rows.map((row) => row.trim()).join(' ');
  return readLaunchError(view.frame, view.frame.texts.launchErrors, { rows: 3, message });
}

function readLeaving({ frame }: ClaudeView): Activity | undefined {
  return readResumeHint(frame, frame.texts.leftBehind, 3);
}

/**
 * Claude Code prints two lines on the screen it leaves and draws nothing more until SIGCONT. The terminal itself shows below them what
 * is typed meanwhile, such as a prompt of llmc. A box or a dialog without a screen of its own is drawn below old lines after SIGCONT.
 */
function readSuspended(view: ClaudeView): Activity | undefined {
  const { lines, texts } = view.frame;
  if (hasBox(view) || view.dialog !== undefined || !lines.some((line) => texts.suspended.test(line))) return undefined;
  return { kind: 'unknown', opened: { what: 'suspended', title: '', key: '' } };
}

function readTranscriptView({ frame }: ClaudeView): Activity | undefined {
  const last = frame.lines.findLast((line) => line !== '') ?? '';
  return frame.texts.transcriptView.test(last) ? { kind: 'unknown', opened: { what: 'transcript', title: '', key: 'Ctrl+O' } } : undefined;
}

function readBanner({ frame }: ClaudeView): Activity | undefined {
  return frame.lines.some((line) => frame.texts.banner.test(line)) ? { kind: 'starting' } : undefined;
}
