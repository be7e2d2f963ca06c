import type { Alignment } from './align.ts';
import { isMarker } from './markers.ts';
import type { OneSide, Side } from './proof.ts';
import { addLinesIn, isSameChange, listClashes } from './regions.ts';
import { diffSequences, type SequenceHunk } from './sequence-diff.ts';
import { type Counts, countEach, isBlank } from './words.ts';

/** The lines of one file, without carriage returns at their ends. */
export interface Versions {
  readonly base: readonly string[];
  readonly main: readonly string[];
  readonly worker: readonly string[];
  readonly result: readonly string[];
}

export interface Changes {
  /** From the base to each side. */
  readonly made: Readonly<Record<OneSide, Alignment>>;
  /** From each side to the result. */
  readonly resolved: Readonly<Record<OneSide, Alignment>>;
}

/** A line that should be in the result. `at` is its index in the file of `of`. */
export interface Missing {
  readonly side: Side;
  readonly of: OneSide;
  readonly at: number;
  readonly text: string;
  /** False for a line that the base had and both sides kept. */
  readonly added: boolean;
  /** The line is in a part of the file that both sides changed, in different ways. */
  readonly inRegion: boolean;
  /** Both sides add the line, at different places, and the result has it, but less often. */
  readonly duplicate: boolean;
}

/** Lines that the result has more often than expected. `at` is an index in the result. */
export interface Surplus {
  readonly text: string;
  readonly at: number;
  /** Sides that deleted such a line: it came back. */
  readonly deletedBy: Side | undefined;
  /** In none of the other versions, and not a conflict marker. */
  readonly fresh: boolean;
}

export interface Compared {
  readonly missing: readonly Missing[];
  readonly surplus: readonly Surplus[];
}

/**
 * Compares how often each line is in the four versions: as often as the sides' changes add up to. Blank lines do not count.
 */
export function compareCounts(versions: Versions, changes: Changes): Compared {
  const counts = {
    base: countEach(versions.base),
    main: countEach(versions.main),
    worker: countEach(versions.worker),
    result: countEach(versions.result),
  };
  const places = { main: collectPlaces(versions.main), worker: collectPlaces(versions.worker), result: collectPlaces(versions.result) };
  const readings = listReadings(versions, changes);
  const inserted = {
    main: highest(readings.main.map((each) => each.inserted)),
    worker: highest(readings.worker.map((each) => each.inserted)),
  };
  const deleted = {
    main: highest(readings.main.map((each) => each.deleted)),
    worker: highest(readings.worker.map((each) => each.deleted)),
  };
  const shared = sharedIn(versions, readings);
  const inRegion = linesInRegions(versions, readings);
  const missing: Missing[] = [];
  const surplus: Surplus[] = [];
  for (const text of new Set([...counts.base.keys(), ...counts.main.keys(), ...counts.worker.keys(), ...counts.result.keys()])) {
    if (isBlank(text)) continue;
    const often: Often = { b: counts.base.get(text) ?? 0, m: counts.main.get(text) ?? 0, w: counts.worker.get(text) ?? 0 };
    const actual = counts.result.get(text) ?? 0;
    const sum = often.m + often.w - often.b;
    // A line that both sides insert at the same place may be one and the same, and so may one that both delete.
    const least = Math.max(0, sum - (shared.get(text) ?? 0));
    const most = Math.max(0, sum + Math.min(deleted.main.get(text) ?? 0, deleted.worker.get(text) ?? 0));
    if (actual < least) {
      const once = Math.max(actual, sum - Math.min(inserted.main.get(text) ?? 0, inserted.worker.get(text) ?? 0));
      const duplicates = actual === 0 ? 0 : Math.max(0, least - once);
      const found = lost(text, often, least - actual, places, changes);
      const placed = found.map((line, at) => {
        const duplicate = at >= found.length - duplicates;
        return { ...(duplicate ? ofOneSide(line, places, changes) : line), duplicate };
      });
      missing.push(...placed.map((line) => ({ ...line, inRegion: inRegion[line.of].has(line.at) })));
    }
    if (actual > most) surplus.push(...extra(text, often, actual - most, places.result, changes));
  }
  return { missing, surplus: surplus.sort((one, other) => one.at - other.at) };
}

/** How often the base, main and the worker have a line. */
interface Often {
  readonly b: number;
  readonly m: number;
  readonly w: number;
}

type Places = ReadonlyMap<string, readonly number[]>;

/** One way to read what a side changed, and how often it inserts and deletes a line, which also counts a line that it moves. */
interface Reading {
  readonly hunks: readonly SequenceHunk[];
  readonly inserted: Counts;
  readonly deleted: Counts;
}

type Readings = Readonly<Record<OneSide, readonly Reading[]>>;

/** A change can be read in more than one way where lines repeat, and git may read it in another way than llmc. */
function listReadings(versions: Versions, { made }: Changes): Readings {
  const of = (side: OneSide): readonly Reading[] =>
    [made[side].hunks, diffSequences(versions.base, versions[side], true)].map((hunks) => ({
      hunks,
      inserted: countEach(hunks.flatMap(({ bStart, bEnd }) => versions[side].slice(bStart, bEnd))),
      deleted: countEach(hunks.flatMap(({ aStart, aEnd }) => versions.base.slice(aStart, aEnd))),
    }));
  return { main: of('main'), worker: of('worker') };
}

/** How often less than both changes together a merge may have a line, in the reading that allows most. */
function sharedIn(versions: Versions, { main, worker }: Readings): Counts {
  const all = main.flatMap((ofMain) => worker.map((ofWorker) => ({ ofMain, ofWorker })));
  const net: Counts[] = all.map(({ ofMain, ofWorker }) => {
    const shared: Counts = new Map();
    const add = (text: string, count: number) => shared.set(text, (shared.get(text) ?? 0) + count);
    for (const { hunks } of listClashes({ main: ofMain.hunks, worker: ofWorker.hunks })) {
      const [ours, theirs] = [insertedIn(versions.main, hunks.main), insertedIn(versions.worker, hunks.worker)];
      for (const [text, count] of ours) add(text, Math.min(count, theirs.get(text) ?? 0));
    }
    const byMain = new Set(ofMain.hunks.flatMap(listIndexes));
    for (const at of ofWorker.hunks.flatMap(listIndexes)) if (byMain.has(at)) add(versions.base[at] ?? '', -1);
    return shared;
  });
  // A line that no pair of readings mentions is shared zero times in it.
  const texts = new Set(net.flatMap((counts) => [...counts.keys()]));
  return new Map([...texts].map((text) => [text, Math.max(...net.map((counts) => counts.get(text) ?? 0))]));
}

const insertedIn = (lines: readonly string[], hunks: readonly SequenceHunk[]): Counts =>
  countEach(hunks.flatMap(({ bStart, bEnd }) => lines.slice(bStart, bEnd)));

const listIndexes = ({ aStart, aEnd }: SequenceHunk): readonly number[] => Array.from({ length: aEnd - aStart }, (_, at) => aStart + at);

/** The lines of each side that are in a conflict, in any reading. */
function linesInRegions(versions: Versions, readings: Readings): Readonly<Record<OneSide, ReadonlySet<number>>> {
  const found = { main: new Set<number>(), worker: new Set<number>() };
  for (const [at, ofMain] of readings.main.entries()) {
    const hunks = { main: ofMain.hunks, worker: readings.worker[at]?.hunks ?? [] };
    const regions = listClashes(hunks).filter((clash) => !isSameChange(clash, versions));
    for (const side of ['main', 'worker'] as const) addLinesIn(regions, hunks[side], found[side]);
  }
  return found;
}

function highest(readings: readonly Counts[]): Counts {
  const all: Counts = new Map();
  for (const reading of readings) for (const [text, count] of reading) all.set(text, Math.max(count, all.get(text) ?? 0));
  return all;
}

function collectPlaces(lines: readonly string[]): Places {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else known.push(at);
  }
  return places;
}

type Lost = Omit<Missing, 'inRegion' | 'duplicate'>;

function lost(text: string, { b, m, w }: Often, count: number, places: Readonly<Record<OneSide, Places>>, changes: Changes): Lost[] {
  const [byMain, byWorker] = [Math.max(0, m - b), Math.max(0, w - b)];
  const shared = Math.min(byMain, byWorker);
  const sides: (readonly [Side, OneSide, number, boolean])[] = [
    ['main', 'main', byMain - shared, true],
    ['worker', 'worker', byWorker - shared, true],
    ['both', 'main', shared, true],
    ['both', m === 0 ? 'worker' : 'main', count, false],
  ];
  let left = count;
  const used: Record<OneSide, number> = { main: 0, worker: 0 };
  return sides.flatMap(([side, of, most, added]) => {
    const take = Math.min(left, most);
    left -= take;
    const candidates = likeliest(places[of].get(text) ?? [], (at) => changes.resolved[of].successor.has(at) && isChanged(changes, of, at));
    const taken = candidates.slice(used[of], used[of] + take);
    used[of] += take;
    return taken.map((at) => ({ side, of, at, text, added }));
  });
}

/** Of a line that both sides add and the result has less often: the side whose line is not at its place any more. */
function ofOneSide(line: Lost, places: Readonly<Record<OneSide, Places>>, changes: Changes): Lost {
  if (line.side !== 'both' || !line.added) return line;
  for (const owner of ['main', 'worker'] as const) {
    const { successor } = changes.resolved[owner];
    const at = places[owner].get(line.text)?.find((place) => successor.has(place) && isChanged(changes, owner, place));
    if (at !== undefined) return { ...line, side: owner, of: owner, at };
  }
  return line;
}

const isChanged = ({ made }: Changes, of: OneSide, at: number): boolean => made[of].isInHunk(at);

/** Of equal lines, those come first that the comparison by position does not find. */
const likeliest = (places: readonly number[], isLikely: (at: number) => boolean): readonly number[] => [
  ...places.filter(isLikely),
  ...places.filter((at) => !isLikely(at)),
];

function extra(text: string, { b, m, w }: Often, count: number, places: Places, { resolved }: Changes): Surplus[] {
  const [byMain, byWorker] = [m < b, w < b];
  const deletedBy = byMain && byWorker ? 'both' : byMain ? 'main' : byWorker ? 'worker' : undefined;
  const deleted = Math.min(b, Math.max(0, b - m) + Math.max(0, b - w));
  const deleting = deletedBy === 'worker' ? resolved.worker : resolved.main;
  return likeliest(places.get(text) ?? [], (at) => deleting.isInHunk(at))
    .slice(0, count)
    .map((at, index) => ({ text, at, deletedBy: index < deleted ? deletedBy : undefined, fresh: b + m + w === 0 && !isMarker(text) }));
}
