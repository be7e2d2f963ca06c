import { squeeze } from './squeeze.ts';

/** Enough of a text to find its beginning and its end on a screen, where frames and marks may stand between its rows. */
const ENDS = 16;
const FRAMES = /[\u2500-\u259f]+/g;

/**
 * How much of a text the screen shows more often than before it was typed. `end`: its end without its beginning, because the program
 * lost the first keys, or scrolls a long line.
 */
export type Seen = 'whole' | 'start' | 'end' | 'nothing';

export function seenSince(before: readonly string[], after: readonly string[], text: string): Seen {
  const wanted = bare(text);
  if (wanted === '') return 'whole';
  const [old, shown] = [bare(before.join('')), bare(after.join(''))];
  const isNew = (part: string) => timesIn(shown, part) > timesIn(old, part);
  if (isNew(wanted)) return 'whole';
  const [hasStart, hasEnd] = [isNew(wanted.slice(0, ENDS)), isNew(wanted.slice(-ENDS))];
  // A tall text scrolls away at the top.
  if (hasEnd && (hasStart || isTaller(wanted, after))) return 'whole';
  return hasEnd || isNew(wanted.slice(-Math.ceil(wanted.length / 2))) ? 'end' : hasStart ? 'start' : 'nothing';
}

/** Whether the text stands directly before the cursor: it was typed there, and not sent. */
export function isBeforeCursor(lines: readonly string[], { x, y }: { readonly x: number; readonly y: number }, text: string): boolean {
  const shown = bare([...lines.slice(0, y), (lines[y] ?? '').slice(0, x)].join(''));
  return bare(text) !== '' && shown.endsWith(bare(text).slice(-ENDS));
}

function isTaller(wanted: string, lines: readonly string[]): boolean {
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), 1);
  return wanted.length > (width * lines.length) / 2;
}

const bare = (text: string): string => squeeze(text.replace(FRAMES, ''));

const timesIn = (text: string, part: string): number => (part === '' ? 0 : text.split(part).length - 1);
