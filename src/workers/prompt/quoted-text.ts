import { shellWord } from '../../base/shell-quote.ts';
import { hiddenIn, visibleLine, visibleText } from '../../base/visible-text.ts';

/** A name in a sentence: in one line, and never longer than this. */
const LONGEST_NAME = 300;

/** Sets text that an agent or a repository wrote apart from the instructions: in a fence that is longer than any in the text. */
export function fenced(text: string): string {
  const content = visibleText(text.replaceAll('\r\n', '\n')).replace(/\n$/, '');
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${content}\n${fence}`;
}

/** A file name or a subject in quotes, in one line. */
export function quoted(text: string): string {
  return `"${visibleLine(cut(text, LONGEST_NAME)).replaceAll('"', '\\"')}"`;
}

/** At most so many characters, with a sign for the rest. Never half a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The end of an output, from the start of a line. */
export function tail(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most).replace(/^[\udc00-\udfff]/, '');
  const line = end.indexOf('\n');
  return `…\n${line === -1 ? end : end.slice(line + 1)}`;
}

/** A value as one word of bash, in one line: `$'…'` for what cannot stand in quotes visibly. */
export function word(text: string): string {
  if (!/[\n\t]/.test(text) && hiddenIn(text).length === 0) return shellWord(text);
  const escaped = [...text].map((character) => ESCAPES[character] ?? escapeHidden(character)).join('');
  return `$'${escaped}'`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', "'": "\\'", '\\': '\\\\' };

function escapeHidden(character: string): string {
  if (hiddenIn(character).length === 0) return character;
  // As bytes: bash writes `\u…` out as text where the locale has no such character.
  return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

/** A path as one word that git takes for this very path. */
export function pathspec(path: string): string {
  return word(/[*?[\\]|^:/.test(path) ? `:(top,literal)${path}` : path);
}
