import type { SafeText } from '../agent.ts';
import {
  applyChanges,
  ESCAPES,
  NO_BLANKS_AT_END,
  NO_CONTROLS,
  NO_ESCAPES,
  NO_LAST_BACKSLASH,
  ONE_BREAK,
  type TextChange,
  WHOLE_CHARACTERS,
  wrapped,
} from '../text-changes.ts';

/** 400 KB arrived complete through the input box (2.1.325), but above 256 KB there are too few measurements. */
const LARGEST_TYPED_BYTES = 256 * 1024;

const OTHER_BREAKS = /[\u000b\u000c\u0085\u2028\u2029]/g;
// Bidirectional controls: with one of them in a paste, 2.1.325 ignores the Enter and asks to review the text first.
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// 2.1.325 drops these silently. Joiners, variation selectors and tags stay, because it keeps them as part of a glyph.
const INVISIBLE = /\u034f|[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g;
// Claude Code replaces a line that is only the path of a picture by the picture, if it exists.
const PICTURE_LINE = /^([ ]*)((?:["'\\]*[/~]).*\.(?:png|jpe?g|gif|webp|bmp|tiff?|svg|heic|avif)["']?)([ ]*)$/gim;

const CHANGES: readonly TextChange[] = [
  ONE_BREAK,
  { what: 'other line separators made \\n', apply: (text) => text.replace(OTHER_BREAKS, '\n'), loses: true },
  NO_ESCAPES,
  NO_CONTROLS,
  { what: 'text direction marks removed', apply: (text) => text.replace(BIDI, ''), loses: true },
  { what: 'invisible characters removed', apply: (text) => text.replace(INVISIBLE, ''), loses: true },
  { what: 'tabs made four spaces', apply: (text) => text.replaceAll('\t', '    '), loses: true },
  WHOLE_CHARACTERS,
  { what: 'composed (Unicode NFC)', apply: (text) => text.normalize('NFC'), loses: true },
  NO_BLANKS_AT_END,
  { what: 'picture paths put in backticks', apply: (text) => text.replace(PICTURE_LINE, '$1`$2`$3').trimEnd() },
  wrapped(isObeyed),
  NO_LAST_BACKSLASH,
];

/** Changes a text so that Claude Code reads it as a prompt: everything that the input box would change or run as a command. */
export function makeSafe(text: string): SafeText {
  return applyChanges(text, CHANGES, LARGEST_TYPED_BYTES);
}

/**
 * Whether 2.1.325 runs the text instead of sending it: `!…` runs in a shell; `/word` is a command, also after blanks; a few
 * words exit. A first word with a second slash is a path, which it sends.
 */
export function isObeyed(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('!') || /^\/(?![^\s]*\/)/.test(trimmed) || /^(?:exit|quit|:wq?!?|:q!?)$/i.test(trimmed);
}

/** Ignores every change that the input box may make; keeps blanks at the start and inside. */
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
