/** A place where two sequences differ: `[aStart, aEnd)` of the first became `[bStart, bEnd)` of the second. */
export interface SequenceHunk {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

type Sequence = readonly string[];

/** Cells of the table that finds the longest common subsequence; a larger part without unique lines counts as changed. */
const LARGEST_TABLE = 250_000;

/**
 * Compares two sequences: lines that are unique in both anchor the comparison, what lies between them is compared exactly. With
 * `shortest`, sequences that are not too long have no anchors and as few differences as possible.
 */
export function diffSequences(a: Sequence, b: Sequence, shortest = false): readonly SequenceHunk[] {
  const hunks: SequenceHunk[] = [];
  const open: SequenceHunk[] = [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const rest = withoutEnds(a, b, part);
    if (rest.aStart === rest.aEnd && rest.bStart === rest.bEnd) continue;
    const anchors = rest.aStart === rest.aEnd || rest.bStart === rest.bEnd ? [] : listCommon(a, b, rest, shortest);
    if (anchors.length === 0) hunks.push(rest);
    else open.push(...between(rest, anchors).toReversed());
  }
  return hunks;
}

function withoutEnds(a: Sequence, b: Sequence, { aStart, aEnd, bStart, bEnd }: SequenceHunk): SequenceHunk {
  const most = Math.min(aEnd - aStart, bEnd - bStart);
  let head = 0;
  while (head < most && a[aStart + head] === b[bStart + head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[aEnd - 1 - tail] === b[bEnd - 1 - tail]) tail += 1;
  return { aStart: aStart + head, aEnd: aEnd - tail, bStart: bStart + head, bEnd: bEnd - tail };
}

type Match = readonly [a: number, b: number];

function listCommon(a: Sequence, b: Sequence, part: SequenceHunk, shortest: boolean): readonly Match[] {
  const isSmall = (part.aEnd - part.aStart) * (part.bEnd - part.bStart) <= LARGEST_TABLE;
  const unique = shortest && isSmall ? [] : increasing(uniqueMatches(a, b, part));
  if (unique.length > 0) return unique;
  return isSmall ? longestCommon(a, b, part) : [];
}

function between(part: SequenceHunk, matches: readonly Match[]): SequenceHunk[] {
  const parts: SequenceHunk[] = [];
  let { aStart, bStart } = part;
  for (const [inA, inB] of matches) {
    parts.push({ aStart, aEnd: inA, bStart, bEnd: inB });
    aStart = inA + 1;
    bStart = inB + 1;
  }
  return [...parts, { aStart, aEnd: part.aEnd, bStart, bEnd: part.bEnd }];
}

/** In the order of `b`. */
function uniqueMatches(a: Sequence, b: Sequence, part: SequenceHunk): readonly Match[] {
  const [inA, inB] = [onlyOnce(a, part.aStart, part.aEnd), onlyOnce(b, part.bStart, part.bEnd)];
  return [...inB].flatMap(([line, at]) => {
    const other = inA.get(line);
    return other === undefined || other === -1 || at === -1 ? [] : [[other, at] as const];
  });
}

/** Where each line is; -1 for one that is there more than once. */
function onlyOnce(lines: Sequence, start: number, end: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? '';
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

/** The longest part whose places in `a` increase (patience sorting). */
function increasing(matches: readonly Match[]): readonly Match[] {
  const tops: number[] = [];
  const before: number[] = [];
  for (const [index, [inA]] of matches.entries()) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((matches[tops[middle] ?? 0]?.[0] ?? 0) < inA) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (tops[low - 1] ?? -1);
    tops[low] = index;
  }
  const chain: Match[] = [];
  for (let at = tops.at(-1) ?? -1; at !== -1; at = before[at] ?? -1) {
    const match = matches[at];
    if (match !== undefined) chain.push(match);
  }
  return chain.toReversed();
}

function longestCommon(a: Sequence, b: Sequence, { aStart, aEnd, bStart, bEnd }: SequenceHunk): readonly Match[] {
  const width = bEnd - bStart + 1;
  const lengths = new Uint32Array((aEnd - aStart + 1) * width);
  const cell = (i: number, j: number) => lengths[(i - aStart) * width + (j - bStart)] ?? 0;
  for (let i = aEnd - 1; i >= aStart; i -= 1)
    for (let j = bEnd - 1; j >= bStart; j -= 1)
      lengths[(i - aStart) * width + (j - bStart)] = a[i] === b[j] ? cell(i + 1, j + 1) + 1 : Math.max(cell(i + 1, j), cell(i, j + 1));
  const matches: Match[] = [];
  let [i, j] = [aStart, bStart];
  while (i < aEnd && j < bEnd) {
    if (a[i] === b[j]) {
      matches.push([i, j]);
      i += 1;
      j += 1;
    } else if (cell(i + 1, j) >= cell(i, j + 1)) i += 1;
    else j += 1;
  }
  return matches;
}
