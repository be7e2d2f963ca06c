import type { SafeText } from './agent.ts';

/** One change to a text before llmc types it. */
export interface TextChange {
  /** The change, as the delivery record lists it. */
  readonly what: string;
  readonly apply: (text: string) => string;
  /** True if the change loses bytes, so that the text goes as a file. */
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

/** The same change for a CLI that gets the text typed in any case, without a file. */
export const bytesStay = ({ what, apply }: TextChange): TextChange => ({ what, apply });

/** The line above text that a CLI would read as a command, because CLIs check only the first line. */
export const WRAPPER = 'Message:';

export function wrapped(isObeyed: (text: string) => boolean): TextChange {
  return {
    what: `put below the line "${WRAPPER}", so that the agent does not read it as a command`,
    apply: (text) => (isObeyed(text) ? `${WRAPPER}\n${text}` : text),
  };
}

/** Applies the changes in order and lists those that changed the text. */
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
  if (Buffer.byteLength(safe) > largestBytes) losses.push('longer than the tested length of the input box');
  return { text: safe, changes: made, ...(losses.length > 0 && { needsFile: losses.join(', ') }) };
}
