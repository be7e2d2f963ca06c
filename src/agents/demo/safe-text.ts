import type { SafeText } from '../agent.ts';
import { applyChanges, bytesStay, NO_CONTROLS, NO_LAST_BACKSLASH, ONE_BREAK, type TextChange, wrapped } from '../text-changes.ts';

const CHANGES: readonly TextChange[] = [ONE_BREAK, bytesStay(NO_CONTROLS), wrapped(isCommand), NO_LAST_BACKSLASH];

/**
 * Changes a text so that the agent reads it as a prompt. The program runs `!…`
 * in a shell, reads `/word` as a command, exits on `exit` and `quit`, and turns Enter
 * after a backslash into a line break.
 */
export function makeSafe(text: string): SafeText {
  return applyChanges(text, CHANGES);
}

/** Makes line breaks one byte, and ignores blanks at the end. */
export function normalise(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}

function isCommand(text: string): boolean {
  const trimmed = text.trim();
  return /^!/.test(trimmed) || /^\/[A-Za-z][\w-]*(\s|$)/.test(trimmed) || trimmed === 'exit' || trimmed === 'quit';
}
