import type { Screen } from '../../terminal/screen.ts';
import type { Activity } from '../activity.ts';
import type { InputBox, ScreenReading } from '../agent.ts';
import { errorType, isRecoverable } from '../spool-words.ts';
import { type OpenDialog, readDialog } from './dialogs.ts';

const RULE = /^─{10,}$/;
const SPINNER = /^[·✢✳✶✻✽] Working… \(\d+s\)$/;
const FOLDED = /\[Pasted text #\d+(?: \+(\d+) lines)?\]/;
const FAREWELL = /^Resume this conversation with: --resume \S+$/;

/** What the screen alone tells. Only marks in the first column count: the program indents all text that is not its own. */
export function classifyDemo(screen: Screen): ScreenReading {
  const lines = screen.lines.map((line) => line.trimEnd());
  const dialog = readDialog(screen);
  if (dialog !== undefined) {
    return {
      activity: dialogActivity(dialog),
      confidence: 0.95,
      rule: `demo: ${dialog.kind} dialog at the bottom`,
      box: { kind: 'absent' },
    };
  }
  const frame = findBox(lines);
  if (frame !== undefined) return { ...idleOrBusy(frame), box: frame.box };
  const absent: InputBox = { kind: 'absent' };
  if (lines.every((line) => line === '')) {
    return { activity: { kind: 'starting' }, confidence: 0.3, rule: 'demo: the screen is empty', box: absent };
  }
  if (lines.some((line) => FAREWELL.test(line))) {
    const activity: Activity = { kind: 'exited', how: 'user', status: null, signal: null };
    return { activity, confidence: 0.6, rule: 'demo: it said how to resume', box: absent };
  }
  return { activity: { kind: 'unknown' }, confidence: 0, rule: 'demo: neither box nor dialog on the screen', box: absent };
}

interface BoxFrame {
  readonly above: readonly string[];
  readonly footer: string;
  readonly box: InputBox;
}

/** The box stands between two rules, and only the footer follows. */
function findBox(lines: readonly string[]): BoxFrame | undefined {
  const last = lines.findLastIndex((line) => line !== '');
  const lower = last - 1;
  if (lower < 2 || !RULE.test(lines[lower] ?? '')) return undefined;
  const upper = lines.slice(0, lower).findLastIndex((line) => RULE.test(line));
  const inside = lines.slice(upper + 1, lower);
  if (upper === -1 || !/^❯(\u00a0|$)/.test(inside[0] ?? '')) return undefined;
  return { above: lines.slice(0, upper), footer: lines[last] ?? '', box: readBox(inside) };
}

function readBox(inside: readonly string[]): InputBox {
  const text = inside.map((line) => line.slice(2)).join('\n');
  if (text === '') return { kind: 'empty' };
  const folded = FOLDED.exec(text);
  // A paste cut on its way in shows fewer lines than were sent: that is seen here, before Enter, or nowhere.
  return folded === null ? { kind: 'text', text } : { kind: 'folded', text, moreLines: Number(folded[1] ?? 0) };
}

function idleOrBusy({ above, footer }: BoxFrame): Omit<ScreenReading, 'box'> {
  const interruptible = footer.split(' · ').includes('esc to interrupt');
  const spinning = above.some((line) => SPINNER.test(line));
  if (interruptible || spinning) {
    return {
      activity: { kind: 'processing' },
      confidence: interruptible && spinning ? 0.95 : 0.8,
      rule: 'demo: footer or spinner of a running turn',
    };
  }
  const continues = /^continuing by itself at (\S+)$/.exec(footer.split(' · ').find((part) => part.startsWith('continuing')) ?? '');
  if (continues !== null) {
    const activity: Activity = { kind: 'waiting_limit', resetsAt: Date.parse(continues[1] ?? ''), continuesByItself: true };
    return { activity, confidence: 0.95, rule: 'demo: the footer says when it goes on by itself' };
  }
  const mark = lastBlock(above);
  if (mark.startsWith('⎿  Interrupted')) {
    return {
      activity: { kind: 'ready', interrupted: true },
      confidence: 0.9,
      rule: 'demo: box without a running turn, the last one interrupted',
    };
  }
  const failed = /^✗ API error \((\w+)\): (.*)$/.exec(mark);
  if (failed !== null) {
    const type = errorType(failed[1]);
    const activity: Activity = { kind: 'error', type, recoverable: isRecoverable(type), message: failed[2] ?? '' };
    return { activity, confidence: 0.9, rule: 'demo: the last turn ended with an error' };
  }
  return { activity: { kind: 'ready' }, confidence: 0.9, rule: 'demo: box without a running turn' };
}

/** The last line with a mark of the program's own, joined with the rows that continue it. */
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

function dialogActivity(dialog: OpenDialog): Activity {
  const { question, tool } = dialog;
  const choices = dialog.choices.map(({ label }) => label);
  if (dialog.kind === 'permission') return { kind: 'awaiting_permission', tool, question, choices };
  if (dialog.kind === 'startup') return { kind: 'awaiting_question', questionType: 'startup', question, choices };
  const yesNo = choices.length === 2 && /^yes\b/i.test(choices[0] ?? '') && /^no\b/i.test(choices[1] ?? '');
  const questionType = yesNo ? 'yes_no' : dialog.freeText && choices.length === 1 ? 'free_text' : 'multiple_choice';
  return { kind: 'awaiting_question', questionType, question, choices };
}
