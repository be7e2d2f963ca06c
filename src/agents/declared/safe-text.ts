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

/** Makes line breaks one byte, and ignores blanks at the end. */
export function normalise(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}
