import { diffSequences } from './sequence-diff.ts';

/** A number with its points, such as a version or a date, is one word; a sign is one, too. */
const WORD = /\p{N}[\p{L}\p{N}_]*(?:[.:-][\p{L}\p{N}_]+)*|[\p{L}\p{N}_$]+|\S/gu;

export const parseWords = (text: string): readonly string[] => text.match(WORD) ?? [];

/** A line of brackets, quotes and other signs only. */
export const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** The signs of a line in order, with one sign in place of each word. */
export const toForm = (text: string): string =>
  parseWords(text)
    .map((word) => (hasLetters(word) ? 'w' : word))
    .join(' ');

export const isBlank = (text: string): boolean => text.trim() === '';

export type Counts = Map<string, number>;

export function countEach(items: Iterable<string>): Counts {
  const counts: Counts = new Map();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The items of `a` that `b` has not, as often as they are more there. */
export function minus(a: Counts, b: Counts): Counts {
  return new Map([...a].map(([item, count]) => [item, count - (b.get(item) ?? 0)] as const).filter(([, count]) => count > 0));
}

export const contains = (all: Counts, part: Counts): boolean => minus(part, all).size === 0;

/** From 0 to 1: how many of the words of both lines are in both. */
export function measureShare(a: Telling, b: Telling): number {
  let inBoth = 0;
  for (const [word, count] of a.counts) inBoth += Math.min(count, b.counts.get(word) ?? 0);
  return a.total + b.total === 0 ? 0 : (2 * inBoth) / (a.total + b.total);
}

export interface Telling {
  readonly counts: Counts;
  readonly total: number;
}

/** The words of a line; its signs only where there are no other words. */
export function tellingWords(text: string): Telling {
  const words = parseWords(text);
  const withLetters = words.filter(hasLetters);
  const telling = withLetters.length === 0 ? words : withLetters;
  return { counts: countEach(telling), total: telling.length };
}

/** True if two changes of a line replace or delete the same word: then only one of them can be in a result. */
export function exclude(base: string, one: string, other: string): boolean {
  const words = parseWords(base);
  const [ofOne, ofOther] = [diffSequences(words, parseWords(one)), diffSequences(words, parseWords(other))];
  return ofOne.some((a) => ofOther.some((b) => Math.max(a.aStart, b.aStart) < Math.min(a.aEnd, b.aEnd)));
}
