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

/** Whatever the CLI: `/word`, `!command`, `@file`, `#note` and the like mean something to one or the other, and so do the words that leave. */
const COMMAND = /^\s*(?:[!/@#:?$%&\\]|(?:exit|quit|bye)\s*$)/i;

const CHANGES: readonly TextChange[] = [
  ONE_BREAK,
  bytesStay(NO_CONTROLS),
  NO_BLANKS_AT_END,
  wrapped((text) => COMMAND.test(text)),
  NO_LAST_BACKSLASH,
];

/** Text that any CLI takes as a prompt: nobody has recorded what this one would make of special marks, so none stands first. */
export function makeSafe(text: string): SafeText {
  return applyChanges(text, CHANGES);
}

/** Line breaks are one byte, and blanks at the end do not count. */
export function normalise(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}
