import type { Screen } from '../../../terminal/screen.ts';
import type { OpenView } from '../../activity.ts';
import type { InputBox } from '../../agent.ts';
import { foldedBox } from '../../screen-rules/folded-box.ts';
import type { ScreenFrame as BaseFrame } from '../../screen-rules/rules.ts';
import { type Texts, textsFor } from './texts.ts';

/** The parts of the screen: the input box between two rules, the conversation above it, hints below. */
export interface ClaudeFrame extends BaseFrame {
  readonly texts: Texts;
  /** Lines below the input box; empty without one. */
  readonly footer: readonly string[];
  /** The part of a dialog or menu; only without an input box. */
  readonly sheet: Sheet | undefined;
}

export interface Sheet {
  readonly lines: readonly string[];
  /** True if it covers a conversation. */
  readonly overlay: boolean;
  /** True if its top is not visible. */
  readonly cut: boolean;
}

export function readFrame(screen: Screen): ClaudeFrame {
  const texts = textsOn(screen);
  const lines = screen.lines.map((line) => line.trimEnd());
  const place = locateBox(lines, texts);
  if (place === undefined) return { lines, texts, box: { kind: 'absent' }, above: lines, footer: [], sheet: locateSheet(lines, texts) };
  return {
    lines,
    texts,
    box: readBox(lines.slice(place.top + 1, place.bottom), texts),
    above: lines.slice(0, place.top),
    footer: lines.slice(place.bottom + 1).filter((line) => line !== ''),
    sheet: undefined,
  };
}

/** The visible banner gives the version; without it, llmc uses the newest recorded version. */
function textsOn(screen: Screen): Texts {
  const shown = screen.lines.slice(0, 8).map((line) => /Claude Code v(\d+\.\d+\.\d+)/.exec(line)?.[1]);
  return textsFor(shown.find((version) => version !== undefined));
}

/** The lowest pair of rules with a prompt glyph right under the upper one. Claude Code draws nothing else at column 0 that way. */
function locateBox(lines: readonly string[], texts: Texts): { top: number; bottom: number } | undefined {
  const rules = lines.flatMap((line, index) => (texts.rule.test(line) ? [index] : []));
  for (const [at, bottom] of [...rules.entries()].reverse()) {
    const top = rules[at - 1];
    if (top !== undefined && texts.boxStart.test(lines[top + 1] ?? '')) return { top, bottom };
  }
  return undefined;
}

const SHELL_MODE: OpenView = { what: 'shell_mode', title: '', key: 'Esc' };

/** Continuation lines are indented by two and long lines are wrapped, so this is the text as shown, not as typed. */
function readBox(lines: readonly string[], texts: Texts): InputBox {
  const [, glyph = '', first = ''] = texts.boxStart.exec(lines[0] ?? '') ?? [];
  const shown = [first, ...lines.slice(1).map((line) => line.replace(/^ {2}/, ''))].join('\n');
  if (glyph === '!') return { kind: 'text', text: `!${shown}`, mode: SHELL_MODE };
  const text = shown.trimEnd();
  if (text === '' || texts.placeholder.test(text)) return { kind: 'empty' };
  return foldedBox(text, texts.folded, (lines) => Number(lines ?? 0)) ?? { kind: 'text', text };
}

/**
 * Replies and prompts are always indented or marked, so the first bare rule or edge is where the dialog begins.
 * A dialog taller than the screen has lost its top; then the whole screen is its lower part.
 */
function locateSheet(lines: readonly string[], texts: Texts): ClaudeFrame['sheet'] {
  const isEdge = (line: string) => texts.rule.test(line) || texts.sheetEdge.test(line) || texts.welcome.test(line);
  const start = lines.findIndex(isEdge);
  if (start !== -1 && !isInnerRule(lines, start)) {
    return { lines: lines.slice(start + 1), overlay: texts.sheetEdge.test(lines[start] ?? ''), cut: false };
  }
  return lines.some((line) => texts.dialogPart.test(line)) ? { lines, overlay: false, cut: true } : undefined;
}

/** A question has a second rule above its last choice; that rule alone is not the top. */
function isInnerRule(lines: readonly string[], at: number): boolean {
  return /^\s*❯? *\d+\. |^\s*❯? *Chat about this$/.test(lines[at + 1] ?? '') && /\S/.test(lines[at - 1] ?? '');
}
