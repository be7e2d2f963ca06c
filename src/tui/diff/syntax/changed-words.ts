/** From and to, in characters of a line. */
export interface Changed {
  readonly from: number;
  readonly to: number;
}

const WORD = /[\p{L}\p{N}_]/u;

/**
 * The middle of two lines that begin and end alike, in whole words, as git's diff-highlight shows it. Undefined where the lines have too
 * little in common: a mark over everything says nothing.
 */
export function changedWords(old: string, now: string): { readonly old: Changed; readonly now: Changed } | undefined {
  if (old === now) return undefined;
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  while (start > 0 && (isInWord(old, start) || isInWord(now, start))) start -= 1;
  while (end > 0 && (isInWord(old, old.length - end) || isInWord(now, now.length - end))) end -= 1;
  const alike = old.slice(0, start) + (end === 0 ? '' : old.slice(-end));
  if (!/[^\s(){}[\];,]/.test(alike)) return undefined;
  return { old: { from: start, to: old.length - end }, now: { from: start, to: now.length - end } };
}

const isInWord = (text: string, at: number): boolean =>
  isInCharacter(text, at) || (WORD.test(text[at - 1] ?? '') && WORD.test(text[at] ?? ''));

/** JavaScript counts some characters as two, and a joiner makes one of several. */
const isInCharacter = (text: string, at: number): boolean => /[\udc00-\udfff\u200d]/.test(text[at] ?? '') || text[at - 1] === '\u200d';
