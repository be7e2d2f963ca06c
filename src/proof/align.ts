import { diffSequences, type SequenceHunk } from './sequence-diff.ts';
import { measureShare, tellingWords, toForm } from './words.ts';

/** Larger hunks are compared by position only. */
const LARGEST_TABLE = 10_000;
/** Less is taken for another line. */
const SIMILAR = 0.5;

/** How one version of a file became another. */
export interface Alignment {
  readonly hunks: readonly SequenceHunk[];
  /** Of each line in a hunk of the new version: the old line that it stands for, if any. */
  readonly origin: ReadonlyMap<number, number>;
  /** Of each old line in a hunk: the new line that stands for it, or undefined for a deleted one. */
  readonly successor: ReadonlyMap<number, number | undefined>;
  /** The lines of the new version that are in no hunk. */
  isInHunk(line: number): boolean;
}

export function alignLines(before: readonly string[], after: readonly string[]): Alignment {
  const hunks = diffSequences(before, after);
  const origin = new Map<number, number>();
  const successor = new Map<number, number | undefined>();
  const inHunk = new Set<number>();
  for (const hunk of hunks) {
    for (let line = hunk.aStart; line < hunk.aEnd; line += 1) successor.set(line, undefined);
    for (let line = hunk.bStart; line < hunk.bEnd; line += 1) inHunk.add(line);
    for (const [old, now] of pairs(before, after, hunk)) {
      origin.set(now, old);
      successor.set(old, now);
    }
  }
  return { hunks, origin, successor, isInHunk: (line) => inHunk.has(line) };
}

type Pair = readonly [before: number, after: number];

/** Pairs similar lines in order. Of equally many lines between two pairs, those of the same form stand for each other: `30` and `60`. */
function pairs(before: readonly string[], after: readonly string[], hunk: SequenceHunk): readonly Pair[] {
  const similar = similarPairs(before, after, hunk);
  const found: Pair[] = [...similar];
  let { aStart, bStart } = hunk;
  for (const [old, now] of [...similar, [hunk.aEnd, hunk.bEnd] as const]) {
    if (old - aStart === now - bStart)
      for (let at = 0; aStart + at < old; at += 1)
        if (toForm(before[aStart + at] ?? '') === toForm(after[bStart + at] ?? '')) found.push([aStart + at, bStart + at]);
    aStart = old + 1;
    bStart = now + 1;
  }
  return found;
}

/** The pairs in order whose similarities have the greatest sum. */
function similarPairs(before: readonly string[], after: readonly string[], { aStart, aEnd, bStart, bEnd }: SequenceHunk): readonly Pair[] {
  const [height, width] = [aEnd - aStart, bEnd - bStart];
  if (height * width > LARGEST_TABLE) return [];
  const now = after.slice(bStart, bEnd).map(tellingWords);
  const scores = before.slice(aStart, aEnd).map((line) => {
    const old = tellingWords(line);
    return now.map((other) => measureShare(old, other));
  });
  const score = (i: number, j: number): number => scores[i]?.[j] ?? 0;
  const best = Array.from({ length: height + 1 }, () => new Float64Array(width + 1));
  const sum = (i: number, j: number): number => best[i]?.[j] ?? 0;
  const paired = (i: number, j: number): number => (score(i, j) < SIMILAR ? 0 : score(i, j) + sum(i + 1, j + 1));
  for (let i = height - 1; i >= 0; i -= 1)
    for (let j = width - 1; j >= 0; j -= 1) best[i]?.fill(Math.max(paired(i, j), sum(i + 1, j), sum(i, j + 1)), j, j + 1);
  const found: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < height && j < width) {
    if (paired(i, j) > 0 && sum(i, j) === paired(i, j)) {
      found.push([aStart + i, bStart + j]);
      i += 1;
      j += 1;
    } else if (sum(i, j) === sum(i + 1, j)) i += 1;
    else j += 1;
  }
  return found;
}
