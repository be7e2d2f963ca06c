import { visibleLine } from '../../base/visible-text.ts';

/** The line of a text in which a term was found, as a terminal may show it. */
export interface Excerpt {
  readonly text: string;
  /** Where the terms are in it: from, to. */
  readonly marks: readonly (readonly [number, number])[];
}

const LONGEST = 200;
/** What is shown before the first term of a longer line. */
const BEFORE = 60;

/** Finds any of the terms, in upper or lower case. */
export function termPattern(terms: readonly string[]): RegExp {
  return new RegExp(terms.map((term) => term.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'giu');
}

/** Takes the first line with a term out of a text, and marks the terms in it. */
export function makeExcerpt(text: string, terms: readonly string[]): Excerpt {
  const pattern = termPattern(terms);
  const at = pattern.exec(text)?.index ?? 0;
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const line = around(text.slice(at === 0 ? 0 : from, end === -1 ? undefined : end), at === 0 ? 0 : at - from);
  const shown = visibleLine(line).trim();
  return { text: shown, marks: [...shown.matchAll(termPattern(terms))].map(({ 0: found, index }) => [index, index + found.length]) };
}

/** Cuts a long line before and behind this place, between two characters. */
function around(line: string, at: number): string {
  if (line.length <= LONGEST) return line;
  const from = at <= BEFORE ? 0 : whole(line, at - BEFORE);
  const to = from + LONGEST >= line.length ? line.length : whole(line, from + LONGEST);
  return `${from === 0 ? '' : '…'}${line.slice(from, to)}${to === line.length ? '' : '…'}`;
}

/** A place that is not inside a character of two units. */
function whole(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
