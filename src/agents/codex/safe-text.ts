import type { SafeText } from '../agent.ts';

/** The line put above text that Codex would take for a command of its own: only the first line is ever looked at. */
export const WRAPPER = 'Message:';
/** Put behind a last word that would open a list of files or skills, which takes the Enter for itself. */
export const AFTERWORD = '(end of message)';

/** 64 KB arrived whole 40 times out of 40 (0.166.0); the app-server took 300 KB. */
const LARGEST_TYPED_BYTES = 128 * 1024;

interface Change {
  readonly what: string;
  readonly apply: (text: string) => string;
  /** The bytes matter enough to go by a file. */
  readonly loses?: boolean;
}

// CSI, OSC and two-byte sequences; an ESC could end the bracketed paste early.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -~]?)/g;

const CHANGES: readonly Change[] = [
  // Codex makes two line breaks of a CRLF.
  { what: 'line breaks made \\n', apply: (text) => text.replace(/\r\n?/g, '\n') },
  { what: 'escape sequences removed', apply: (text) => text.replace(ESCAPES, ''), loses: true },
  { what: 'control characters removed', apply: (text) => text.replace(/[^\P{Cc}\n\t]/gu, ''), loses: true },
  { what: 'half characters replaced', apply: (text) => text.toWellFormed() },
  { what: 'blanks at both ends removed', apply: (text) => text.trim() },
  {
    what: `put under the line "${WRAPPER}", so that it is not taken for a command`,
    apply: (text) => (isObeyed(text) ? `${WRAPPER}\n${text}` : text),
  },
  { what: `"${AFTERWORD}" added, so that its last word opens no list`, apply: (text) => (opensList(text) ? `${text} ${AFTERWORD}` : text) },
];

/** Text that reaches Codex as a prompt and as nothing else. What is changed here is what the box would change or obey. */
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

/** What 0.166.0 obeys in place of sending: `!…` runs in a shell; `/word` is a command, also behind blanks. A first word with a second slash is a path. */
function isObeyed(text: string): boolean {
  return text.startsWith('!') || /^\/(?![^\s]*\/)/.test(text);
}

function opensList(text: string): boolean {
  return /(?:^|\s)[@$]\S*$/.test(text);
}

/** Everything the box may do to a text counts as equal. */
export function normalise(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(ESCAPES, '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .toWellFormed()
    .trim();
}
