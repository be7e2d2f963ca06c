import type { SafeText } from '../agent.ts';

/** The line put above text that Claude Code would take for a command of its own: only the first line is ever looked at. */
export const WRAPPER = 'Message:';

/** Through the box 400 KB arrived whole (2.1.325); beyond 256 KB nobody has measured delivery often enough. */
const LARGEST_TYPED_BYTES = 256 * 1024;

interface Change {
  readonly what: string;
  readonly apply: (text: string) => string;
  /** The bytes matter enough to go by a file. */
  readonly loses?: boolean;
}

// CSI, OSC and two-byte sequences; an ESC could end the bracketed paste early.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -~]?)/g;
const OTHER_BREAKS = /[\u000b\u000c\u0085\u2028\u2029]/g;
// Bidirectional controls: with one of them in a paste, 2.1.325 swallows the Enter and asks to review the text first.
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// Dropped silently by 2.1.325. Joiners, variation selectors and tags stay: it keeps them where they belong to a glyph.
const INVISIBLE = /\u034f|[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g;
// A line that is nothing but the path of a picture is replaced by the picture, if it exists.
const PICTURE_LINE = /^([ ]*)((?:["'\\]*[/~]).*\.(?:png|jpe?g|gif|webp|bmp|tiff?|svg|heic|avif)["']?)([ ]*)$/gim;

const CHANGES: readonly Change[] = [
  { what: 'line breaks made \\n', apply: (text) => text.replace(/\r\n?/g, '\n') },
  { what: 'other line separators made \\n', apply: (text) => text.replace(OTHER_BREAKS, '\n'), loses: true },
  { what: 'escape sequences removed', apply: (text) => text.replace(ESCAPES, ''), loses: true },
  { what: 'control characters removed', apply: (text) => text.replace(/[^\P{Cc}\n\t]/gu, ''), loses: true },
  { what: 'text direction marks removed', apply: (text) => text.replace(BIDI, ''), loses: true },
  { what: 'invisible characters removed', apply: (text) => text.replace(INVISIBLE, ''), loses: true },
  { what: 'tabs made four spaces', apply: (text) => text.replaceAll('\t', '    '), loses: true },
  { what: 'half characters replaced', apply: (text) => text.toWellFormed() },
  { what: 'composed (Unicode NFC)', apply: (text) => text.normalize('NFC'), loses: true },
  { what: 'blanks at the end removed', apply: (text) => text.trimEnd() },
  { what: 'picture paths put in backticks', apply: (text) => text.replace(PICTURE_LINE, '$1`$2`$3').trimEnd() },
  { what: `put under the line "${WRAPPER}", so that it is not taken for a command`, apply: wrap },
  { what: 'blank added after the last backslash', apply: (text) => (text.endsWith('\\') ? `${text} ` : text) },
];

/** Text that reaches Claude Code as a prompt and as nothing else. What is changed here is what the box would change or obey. */
export function makeSafe(text: string): SafeText {
  const changes: string[] = [];
  const losses: string[] = [];
  let safe = text;
  for (const { what, apply, loses } of CHANGES) {
    const changed = apply(safe);
    if (changed !== safe) changes.push(what);
    if (changed !== safe && loses) losses.push(what);
    safe = changed;
  }
  if (Buffer.byteLength(safe) > LARGEST_TYPED_BYTES) losses.push('longer than the box was measured with');
  return { text: safe, changes, ...(losses.length > 0 && { needsFile: losses.join(', ') }) };
}

function wrap(text: string): string {
  return isObeyed(text) ? `${WRAPPER}\n${text}` : text;
}

/**
 * What 2.1.325 obeys in place of sending: `!…` runs in a shell; `/word` is a command, also behind blanks; a few words leave.
 * A first word with a second slash in it is a path and passes.
 */
export function isObeyed(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('!') || /^\/(?![^\s]*\/)/.test(trimmed) || /^(?:exit|quit|:wq?!?|:q!?)$/i.test(trimmed);
}

/** Everything the box may do to a text counts as equal; blanks at the start and inside do not. */
export function normalise(text: string): string {
  return text
    .replace(/\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g, '\n')
    .replace(ESCAPES, '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll('\t', '    ')
    .replace(/\p{Default_Ignorable_Code_Point}|[\u061c\ufff9-\ufffb]/gu, '')
    .toWellFormed()
    .normalize('NFC')
    .trimEnd();
}
