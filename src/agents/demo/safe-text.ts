import type { SafeText } from '../agent.ts';

/** The line put before text that the program would take for a command of its own. */
const WRAPPER = 'Message:';

/**
 * Text that reaches the agent as a prompt and as nothing else. The program runs `!…`
 * in a shell, reads `/word` as a command, leaves on `exit` and `quit`, and turns Enter
 * after a backslash into a line break. Escape bytes could end a bracketed paste early.
 */
export function makeSafe(text: string): SafeText {
  const changes: string[] = [];
  const apply = (changed: string, what: string, before: string): string => {
    if (changed !== before) changes.push(what);
    return changed;
  };
  let safe = apply(text.replace(/\r\n?/g, '\n'), 'line breaks made \\n', text);
  safe = apply(safe.replace(/[^\P{Cc}\n\t]/gu, ''), 'control characters removed', safe);
  if (isCommand(safe)) safe = apply(`${WRAPPER}\n${safe}`, `put under the line "${WRAPPER}", so that it is not taken for a command`, safe);
  if (safe.endsWith('\\')) safe = apply(`${safe} `, 'blank added after the last backslash', safe);
  return { text: safe, changes };
}

/** Line breaks are one byte, and blanks at the end do not count. */
export function normalise(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}

function isCommand(text: string): boolean {
  const trimmed = text.trim();
  return /^!/.test(trimmed) || /^\/[A-Za-z][\w-]*(\s|$)/.test(trimmed) || trimmed === 'exit' || trimmed === 'quit';
}
