import type { OneSide } from './proof.ts';
import type { SequenceHunk } from './sequence-diff.ts';

/** A part of the base that both sides changed: only there a resolution has something to decide. */
interface Region {
  /** `[start, end)` of the base. */
  readonly start: number;
  readonly end: number;
  readonly hunks: Readonly<Record<OneSide, readonly SequenceHunk[]>>;
}

/** Hunks that overlap or touch are in conflict, as for git. */
export function listClashes(hunks: Readonly<Record<OneSide, readonly SequenceHunk[]>>): readonly Region[] {
  const sides: readonly OneSide[] = ['main', 'worker'];
  const all = sides.flatMap((side) => hunks[side].map((hunk) => ({ side, hunk })));
  all.sort((one, other) => one.hunk.aStart - other.hunk.aStart || one.hunk.aEnd - other.hunk.aEnd);
  const groups: { start: number; end: number; hunks: Record<OneSide, SequenceHunk[]> }[] = [];
  for (const { side, hunk } of all) {
    const last = groups.at(-1);
    if (last !== undefined && hunk.aStart <= last.end) {
      last.end = Math.max(last.end, hunk.aEnd);
      last.hunks[side].push(hunk);
    } else groups.push({ start: hunk.aStart, end: hunk.aEnd, hunks: { main: [], worker: [], [side]: [hunk] } });
  }
  return groups.filter(({ hunks: { main, worker } }) => main.length > 0 && worker.length > 0);
}

/** Both sides make the same change there: git has no conflict. */
export function isSameChange({ hunks: { main, worker } }: Region, lines: Readonly<Record<OneSide, readonly string[]>>): boolean {
  const [one, other] = [main[0], worker[0]];
  if (main.length !== 1 || worker.length !== 1 || one === undefined || other === undefined) return false;
  if (one.aStart !== other.aStart || one.aEnd !== other.aEnd || one.bEnd - one.bStart !== other.bEnd - other.bStart) return false;
  return lines.main.slice(one.bStart, one.bEnd).every((line, at) => line === lines.worker[other.bStart + at]);
}

/** Git shows conflicts with at most so many lines between them as one. */
const JOINED = 3;

/** Adds the indexes of the lines that are in a region, of the side with these hunks. */
export function addLinesIn(regions: readonly Region[], hunks: readonly SequenceHunk[], into: Set<number>): void {
  const grown = (isBefore: (hunk: SequenceHunk) => boolean): number =>
    hunks.filter(isBefore).reduce((sum, { aStart, aEnd, bStart, bEnd }) => sum + (bEnd - bStart) - (aEnd - aStart), 0);
  let last: number | undefined;
  for (const { start, end } of regions) {
    // No hunk reaches into a region from outside: it would be part of it.
    const from = start + grown(({ aStart }) => aStart < start);
    const to = end + grown(({ aStart }) => aStart <= end);
    if (last !== undefined && from - last <= JOINED) for (let at = last; at < from; at += 1) into.add(at);
    for (let at = from; at < to; at += 1) into.add(at);
    last = to;
  }
}
