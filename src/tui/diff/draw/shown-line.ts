import { markLookAlikes } from '../../../base/look-alike.ts';
import { visibleLine, visibleText } from '../../../base/visible-text.ts';

/** More characters of one line are not drawn: nobody reads them, and a diff may have a line of megabytes. */
const LONGEST = 2_000;
const TAB = 4;

export interface ShownLine {
  readonly text: string;
  /** Characters that are left out. */
  readonly more: number;
}

/** A line of a file as a terminal may show it: misleading characters by their codes, tabs as blanks. */
export function shownLine(line: string, isWindows: boolean): ShownLine {
  const whole = isWindows && line.endsWith('\r') ? line.slice(0, -1) : line;
  const cut = whole.length > LONGEST ? whole.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '') : whole;
  return { text: untabbed(markLookAlikes(visibleText(cut))), more: whole.length - cut.length };
}

/** A name or a sentence in one line. */
export const shownName = (name: string): string => markLookAlikes(visibleLine(name));

function untabbed(text: string): string {
  if (!text.includes('\t')) return text;
  const [first = '', ...others] = text.split('\t');
  let line = first;
  for (const other of others) line += ' '.repeat(TAB - (line.length % TAB)) + other;
  return line;
}
