import type { SafeText } from './agent.ts';

/** One thing done to a text before it is typed. */
export interface TextChange {
  /** In words for the delivery's row. */
  readonly what: string;
  readonly apply: (text: string) => string;
  /** The bytes matter enough to go by a file. */
  readonly loses?: boolean;
}

// CSI, OSC and two-byte sequences; an ESC could end the bracketed paste early.
export const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -~]?)/g;

export const ONE_BREAK: TextChange = { what: 'line breaks made \\n', apply: (text) => text.replace(/\r\n?/g, '\n') };
export const NO_ESCAPES: TextChange = { what: 'escape sequences removed', apply: (text) => text.replace(ESCAPES, ''), loses: true };
export const NO_CONTROLS: TextChange = {
  what: 'control characters removed',
  apply: (text) => text.replace(/[^\P{Cc}\n\t]/gu, ''),
  loses: true,
};
export const WHOLE_CHARACTERS: TextChange = { what: 'half characters replaced', apply: (text) => text.toWellFormed() };
export const NO_BLANKS_AT_END: TextChange = { what: 'blanks at the end removed', apply: (text) => text.trimEnd() };
/** A last backslash turns Enter into a line break. */
export const NO_LAST_BACKSLASH: TextChange = {
  what: 'blank added after the last backslash',
  apply: (text) => (text.endsWith('\\') ? `${text} ` : text),
};

/** The same for a CLI that gets it typed all the same: no file is written on its account. */
export const bytesStay = ({ what, apply }: TextChange): TextChange => ({ what, apply });

/** The line put above text that a CLI would take for a command of its own: only the first line is ever looked at. */
export const WRAPPER = 'Message:';

export function wrapped(isObeyed: (text: string) => boolean): TextChange {
  return {
    what: `put under the line "${WRAPPER}", so that it is not taken for a command`,
    apply: (text) => (isObeyed(text) ? `${WRAPPER}\n${text}` : text),
  };
}

/** Applies them in their order and says which of them changed anything. */
export function applyChanges(text: string, changes: readonly TextChange[], largestBytes = Number.POSITIVE_INFINITY): SafeText {
  const made: string[] = [];
  const losses: string[] = [];
  let safe = text;
  for (const { what, apply, loses } of changes) {
    const changed = apply(safe);
    if (changed !== safe) made.push(what);
    if (changed !== safe && loses === true) losses.push(what);
    safe = changed;
  }
  if (Buffer.byteLength(safe) > largestBytes) losses.push('longer than the box was measured with');
  return { text: safe, changes: made, ...(losses.length > 0 && { needsFile: losses.join(', ') }) };
}
