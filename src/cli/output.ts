import { visibleText } from '../base/visible-text.ts';
import { terminalNotice } from './terminal-notice.ts';

/**
 * The colour codes that llmc and difftastic print. Not among them: concealed text, black, white and backgrounds, which could hide
 * text.
 */
const CODE = '(?:[0-47]|2[2-47]|3[1-69]|9[0-6])';
const COLOURS = new RegExp(`(\\u001b\\[(?:${CODE}(?:;${CODE})*)?m)`);

/** What may be written to a terminal: colours work, every other control character is shown. */
export function terminalText(text: string): string {
  // A long diff without colours is searched once.
  if (!text.includes('\u001b')) return visibleText(text);
  return text
    .split(COLOURS)
    .map((part, index) => (index % 2 === 0 ? visibleText(part) : part))
    .join('');
}

/** Writes a result to stdout. Only this file writes to stdout and stderr, so that no text of an agent reaches a terminal unchecked. */
export function print(text: string): void {
  process.stdout.write(terminalText(text));
}

/** Writes progress or an error to stderr, without colours. */
export function printAside(text: string): void {
  process.stderr.write(visibleText(text));
}

/** Replaces the screen. Switches off the line wrapping of the terminal, which would break words: long lines are cut at the right edge. */
export function redraw(text: string): void {
  process.stdout.write(`\u001b[?7l\u001b[H\u001b[2J${terminalText(text)}\n\u001b[?7h`);
}

/** Writes what moves the cursor of the view, and rows that `ansiOf` has made: it shows the control characters of their texts. */
export function writeScreen(codes: string): void {
  process.stdout.write(codes);
}

/** Shows a notification, on a terminal that is known to have any. */
export function showNotice(title: string, body: string): void {
  const notice = process.stderr.isTTY === true ? terminalNotice(process.env, title, body) : undefined;
  if (notice !== undefined) process.stderr.write(notice);
}

export function ringBell(): void {
  if (process.stderr.isTTY === true) process.stderr.write('\u0007');
}
