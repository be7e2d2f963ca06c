import type { SafeText } from '../agent.ts';
import { applyChanges, ESCAPES, NO_CONTROLS, NO_ESCAPES, ONE_BREAK, type TextChange, WHOLE_CHARACTERS, wrapped } from '../text-changes.ts';

/** Added after a last word that would open a list of files or skills, which would take the Enter. */
export const AFTERWORD = '(end of message)';

/** 64 KB arrived without loss 40 times out of 40 (0.166.0); the app-server took 300 KB. */
const LARGEST_TYPED_BYTES = 128 * 1024;

const CHANGES: readonly TextChange[] = [
  // Codex turns a CRLF into two line breaks.
  ONE_BREAK,
  NO_ESCAPES,
  NO_CONTROLS,
  WHOLE_CHARACTERS,
  { what: 'blanks at both ends removed', apply: (text) => text.trim() },
  wrapped(isObeyed),
  { what: `"${AFTERWORD}" added, so that its last word opens no list`, apply: (text) => (opensList(text) ? `${text} ${AFTERWORD}` : text) },
];

/** Makes a text that reaches Codex as a prompt and as nothing else. It changes only what the box would change or run. */
export function makeSafe(text: string): SafeText {
  return applyChanges(text, CHANGES, LARGEST_TYPED_BYTES);
}

/** What 0.166.0 runs instead of sending: `!…` runs in a shell; `/word` is a command, also after blanks. A first word with a second slash is a path. */
function isObeyed(text: string): boolean {
  return text.startsWith('!') || /^\/(?![^\s]*\/)/.test(text);
}

function opensList(text: string): boolean {
  return /(?:^|\s)[@$]\S*$/.test(text);
}

/** Texts that differ only by changes of the box are equal. */
export function normalise(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(ESCAPES, '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .toWellFormed()
    .trim();
}
