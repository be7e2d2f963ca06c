import type { SafeText } from '../agent.ts';
import {
  applyChanges,
  bytesStay,
  NO_BLANKS_AT_END,
  NO_CONTROLS,
  NO_LAST_BACKSLASH,
  ONE_BREAK,
  type TextChange,
  wrapped,
} from '../text-changes.ts';

/** Texts that some CLI reads as a command: `/word`, `!command`, `@file`, `#note` and similar, and the words that exit. */
const COMMAND = /^\s*(?:[!/@#:?$%&\\]|(?:exit|quit|bye)\s*$)/i;

const CHANGES: readonly TextChange[] = [
  ONE_BREAK,
  bytesStay(NO_CONTROLS),
  NO_BLANKS_AT_END,
  wrapped((text) => COMMAND.test(text)),
  NO_LAST_BACKSLASH,
];

/** Changes a text so that any CLI reads it as a prompt. llmc does not know the commands of a declared CLI, so no special mark may be first. */
export function makeSafe(text: string): SafeText {
  return applyChanges(text, CHANGES);
}

/** A terminal that reads line by line keeps 4,095 bytes of a line on Linux and drops the rest. */
const LONGEST_LINE_BYTES = 4_000;
const LINE_BREAK = ' ⏎ ';

/**
 * The same for a program that llmc knows nothing about. It may take each line of a paste as a prompt of its own, so the text becomes
 * one line, unless the user says that a paste stays together.
 */
export function makePlain(text: string, multiline: boolean): SafeText {
  const { text: safe, changes } = makeSafe(text);
  const line = multiline ? safe : safe.replace(/[^\S\n]*\n\s*/g, LINE_BREAK).replaceAll('\t', ' ');
  const made = line === safe ? changes : [...changes, `sent as one line, with${LINE_BREAK}for each line break`];
  const isTooLong = !multiline && Buffer.byteLength(line) > LONGEST_LINE_BYTES;
  return { text: line, changes: made, ...(isTooLong && { needsFile: 'a terminal that reads line by line drops the end of a long line' }) };
}

/** Makes line breaks one byte, and ignores blanks at the end. */
export function normalise(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}
