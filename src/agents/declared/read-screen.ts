import type { Screen } from '../../terminal/screen.ts';
import type { Activity } from '../activity.ts';
import type { ScreenReading } from '../agent.ts';
import { bareText } from '../screen-rules/shown-text.ts';
import { askedAtTheEnd } from './asked-at-the-end.ts';
import { type BoxRows, findBox } from './box.ts';
import type { Pattern, Patterns } from './patterns.ts';

/** The same limit as for the width of a pane. */
const LONGEST_LINE = 1_000;
const QUOTED = 80;

export function listScreenLines(screen: Screen): readonly string[] {
  return screen.lines.map((line) => line.slice(0, LONGEST_LINE).trimEnd());
}

/** Classifies a screen by the patterns. `dialog` wins over `busy`, and `busy` over `ready`, because this order is the safest. */
export function readScreen(lines: readonly string[], patterns: Patterns): ScreenReading {
  const box = findBox(lines, patterns)?.box ?? { kind: 'absent' };
  const found = (activity: Activity, confidence: number, rule: string, pattern?: string): ScreenReading => ({
    activity,
    confidence,
    rule,
    box,
    ...(pattern !== undefined && { pattern }),
  });
  const dialog = firstMatch(lines, patterns.dialog);
  if (dialog !== undefined) {
    return found(unread(dialog.text), 0.8, dialog.rule);
  }
  const busy = firstMatch(lines, patterns.busy);
  if (busy !== undefined) return found({ kind: 'processing' }, 0.8, busy.rule, busy.name);
  const ready = firstMatch(lines, patterns.ready);
  // Without an input box llmc can never type, so report this instead of waiting.
  if (ready !== undefined && box.kind === 'absent' && patterns.box !== undefined)
    return found({ kind: 'unknown' }, 0, `${ready.rule}, but no line matches box`, 'box');
  if (ready !== undefined) return found({ kind: 'ready' }, 0.8, ready.rule);
  if (lines.every((line) => line === '')) return found({ kind: 'starting' }, 0.3, 'the screen is empty');
  const question = patterns.box === undefined ? askedAtTheEnd(lines) : undefined;
  if (question !== undefined) return found(unread(question), 0.6, `the last line reads like a question: "${shortened(question)}"`);
  const missing = patterns.ready.length > 0 ? 'ready' : undefined;
  return found({ kind: 'unknown' }, 0, 'no pattern of dialog, busy or ready matches', missing);
}

const unread = (question: string): Activity => ({ kind: 'awaiting_question', questionType: 'unread', question, choices: [] });

/** Quotes the match, not the whole line: spinners and clocks on the line would make each reason a new one. */
function firstMatch(lines: readonly string[], patterns: readonly Pattern[]): { text: string; rule: string; name: string } | undefined {
  for (const { name, expression } of patterns) {
    // Use the lowest match, because text further up may be old.
    const line = lines.findLast((each) => expression.test(each));
    if (line === undefined) continue;
    const text = shortened(expression.exec(line)?.[0].trim() ?? '');
    return { text, name, rule: `${name} matches "${text}"` };
  }
  return undefined;
}

function shortened(text: string): string {
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
}

/** A shorter prompt could match any text on the screen. */
const ENOUGH = 20;

/** Whether the screen shows the whole text outside the input box. Undecidable, so false, without a visible input box. */
export function showsText(lines: readonly string[], patterns: Patterns, text: string): boolean {
  const wanted = bare(text);
  const box: BoxRows | undefined = findBox(lines, patterns);
  if (wanted.length < ENOUGH || box === undefined) return false;
  return bare([...lines.slice(0, box.start), '\n', ...lines.slice(box.end)].join('\n')).includes(wanted);
}

/** Removes the frames between the rows. */
const bare = (text: string): string => bareText(text, /[\u2500-\u259f]+/g);
