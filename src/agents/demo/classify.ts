import type { Screen } from '../../terminal/screen.ts';
import type { Activity } from '../activity.ts';
import type { InputBox, ScreenReading } from '../agent.ts';
import { onDialog, permission, question } from '../screen-rules/dialog-rules.ts';
import { readResumeHint } from '../screen-rules/exit.ts';
import { foldedBox } from '../screen-rules/folded-box.ts';
import {
  classifyByRules,
  hasBox,
  readBlank,
  readFreeBox,
  type ScreenFrame,
  type ScreenRule,
  type ScreenView,
} from '../screen-rules/rules.ts';
import { errorType, isRecoverable } from '../spool-words.ts';
import { type DemoDialog, readDialog } from './dialogs.ts';

const RULE = /^─{10,}$/;
const SPINNER = /^[·✢✳✶✻✽] Working… \(\d+s\)$/;
const FOLDED = /\[Pasted text #\d+(?: \+(\d+) lines)?\]/;
const FAREWELL = /^Resume this conversation with: --resume \S+$/;

interface DemoFrame extends ScreenFrame {
  /** The hints below the input box; empty without one. */
  readonly footer: readonly string[];
}

/** The last line with the program's own mark above the input box gives the state of the turn. */
type DemoView = ScreenView<DemoFrame, string, DemoDialog>;

const RULES: readonly ScreenRule<DemoView>[] = [
  { name: 'demo: a start-up dialog is open', confidence: 0.95, read: onDialog('startup', (dialog) => question(dialog, 'startup')) },
  { name: 'demo: a permission dialog is open', confidence: 0.95, read: onDialog('permission', permission) },
  { name: 'demo: a question is open', confidence: 0.95, read: onDialog('question', readQuestion) },
  {
    name: 'demo: spinner and footer of a running turn',
    confidence: 0.95,
    read: (view) => working(isSpinning(view) && isInterruptible(view)),
  },
  {
    name: 'demo: spinner or footer of a running turn',
    confidence: 0.8,
    read: (view) => working(isSpinning(view) || isInterruptible(view)),
  },
  { name: 'demo: the footer says when it goes on by itself', confidence: 0.95, read: readLimit },
  { name: 'demo: the box is free after an interruption', confidence: 0.9, read: readInterrupted },
  { name: 'demo: the last turn ended with an error', confidence: 0.9, read: readError },
  { name: 'demo: the box is free', confidence: 0.9, read: readFreeBox },
  { name: 'demo: the screen is blank', confidence: 0.3, read: readBlank },
  { name: 'demo: it said how to resume', confidence: 0.6, read: ({ frame }) => readResumeHint(frame, FAREWELL, frame.lines.length) },
];

/** Only marks in the first column count: the program indents all text that is not its own. */
export function classifyDemo(screen: Screen): ScreenReading {
  const frame = readFrame(screen.lines.map((line) => line.trimEnd()));
  const view = { frame, turn: lastBlock(frame.above), dialog: readDialog(screen), now: undefined };
  return classifyByRules(view, RULES, 'demo: neither box nor dialog on the screen');
}

/** The input box is between two rules, and only the footer follows. */
function readFrame(lines: readonly string[]): DemoFrame {
  const absent: DemoFrame = { lines, box: { kind: 'absent' }, above: lines, footer: [] };
  const last = lines.findLastIndex((line) => line !== '');
  const lower = last - 1;
  if (lower < 2 || !RULE.test(lines[lower] ?? '')) return absent;
  const upper = lines.slice(0, lower).findLastIndex((line) => RULE.test(line));
  const inside = lines.slice(upper + 1, lower);
  if (upper === -1 || !/^❯(\u00a0|$)/.test(inside[0] ?? '')) return absent;
  return { lines, box: readBox(inside), above: lines.slice(0, upper), footer: (lines[last] ?? '').split(' · ') };
}

function readBox(inside: readonly string[]): InputBox {
  const text = inside.map((line) => line.slice(2)).join('\n');
  if (text === '') return { kind: 'empty' };
  // An incomplete paste shows fewer lines than llmc sent. Only this check, before Enter, detects it.
  return foldedBox(text, FOLDED, (lines) => Number(lines ?? 0)) ?? { kind: 'text', text };
}

const isInterruptible = ({ frame }: DemoView): boolean => frame.footer.includes('esc to interrupt');
const isSpinning = (view: DemoView): boolean => hasBox(view) && view.frame.above.some((line) => SPINNER.test(line));
const working = (yes: boolean): Activity | undefined => (yes ? { kind: 'processing' } : undefined);

function readLimit({ frame }: DemoView): Activity | undefined {
  const at = frame.footer.flatMap((part) => /^continuing by itself at (\S+)$/.exec(part)?.[1] ?? [])[0];
  return at === undefined ? undefined : { kind: 'waiting_limit', resetsAt: Date.parse(at), continuesByItself: true };
}

function readInterrupted(view: DemoView): Activity | undefined {
  return hasBox(view) && view.turn.startsWith('⎿  Interrupted') ? { kind: 'ready', interrupted: true } : undefined;
}

function readError(view: DemoView): Activity | undefined {
  const [, word, message = ''] = (hasBox(view) ? /^✗ API error \((\w+)\): (.*)$/.exec(view.turn) : undefined) ?? [];
  if (word === undefined) return undefined;
  const type = errorType(word);
  return { kind: 'error', type, recoverable: isRecoverable(type), message };
}

/** The last line with the program's own mark, joined with its continuation rows. */
function lastBlock(above: readonly string[]): string {
  const start = above.findLastIndex((line) => /^\S/.test(line));
  const end = above.indexOf('', start);
  return start === -1
    ? ''
    : above
        .slice(start, end === -1 ? undefined : end)
        .map((line) => line.trim())
        .join(' ');
}

function readQuestion(dialog: DemoDialog): Activity {
  const labels = dialog.choices.map(({ label }) => label);
  const yesNo = labels.length === 2 && /^yes\b/i.test(labels[0] ?? '') && /^no\b/i.test(labels[1] ?? '');
  const onlyText = dialog.freeText && labels.length === 1;
  return question(dialog, yesNo ? 'yes_no' : onlyText ? 'free_text' : 'multiple_choice');
}
