import type { SafeText } from '../agent.ts';

/** The line put before text that a CLI might take for a command of its own. */
const WRAPPER = 'Message:';

/** Whatever the CLI: `/word`, `!command`, `@file`, `#note` and the like mean something to one or the other, and so do the words that leave. */
const COMMAND = /^\s*(?:[!/@#:?$%&\\]|(?:exit|quit|bye)\s*$)/i;

/** Text that any CLI takes as a prompt: nobody has recorded what this one would make of special marks, so none stands first. */
export function makeSafe(text: string): SafeText {
  const changes: string[] = [];
  const apply = (changed: string, what: string, before: string): string => {
    if (changed !== before) changes.push(what);
    return changed;
  };
  let safe = apply(text.replace(/\r\n?/g, '\n'), 'line breaks made \\n', text);
  // Escape bytes could end a bracketed paste early.
  safe = apply(safe.replace(/[^\P{Cc}\n\t]/gu, ''), 'control characters removed', safe);
  safe = apply(safe.trimEnd(), 'blanks at the end removed', safe);
  if (COMMAND.test(safe))
    safe = apply(`${WRAPPER}\n${safe}`, `put under the line "${WRAPPER}", so that it is not taken for a command`, safe);
  // A last backslash turns Enter into a line break in many of them.
  if (safe.endsWith('\\')) safe = apply(`${safe} `, 'blank added after the last backslash', safe);
  return { text: safe, changes };
}

/** Line breaks are one byte, and blanks at the end do not count. */
export function normalise(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}
