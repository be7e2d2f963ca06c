import type { Change } from './align.ts';
import { isMarker } from './markers.ts';
import type { Side } from './proof.ts';
import { diffSequences } from './sequence-diff.ts';
import { type Counts, countsOf, isBlank } from './words.ts';

export type OneSide = 'main' | 'worker';

/** The lines of one file, without carriage returns at their ends. */
export interface Versions {
  readonly base: readonly string[];
  readonly main: readonly string[];
  readonly worker: readonly string[];
  readonly result: readonly string[];
}

export interface Changes {
  /** From the base to each side. */
  readonly made: Readonly<Record<OneSide, Change>>;
  /** From each side to the result. */
  readonly resolved: Readonly<Record<OneSide, Change>>;
}

/** A line that should be in the result. `at` is its index in the file of `of`. */
export interface Missing {
  readonly side: Side;
  readonly of: OneSide;
  readonly at: number;
  readonly text: string;
  /** False for a line that the base had and both sides kept. */
  readonly added: boolean;
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
    base: countsOf(versions.base),
    main: countsOf(versions.main),
    worker: countsOf(versions.worker),
    result: countsOf(versions.result),
  };
  const places = { main: placesOf(versions.main), worker: placesOf(versions.worker), result: placesOf(versions.result) };
  const touches = touched(versions, changes);
  const missing: Missing[] = [];
  const surplus: Surplus[] = [];
  for (const text of new Set([...counts.base.keys(), ...counts.main.keys(), ...counts.worker.keys(), ...counts.result.keys()])) {
    if (isBlank(text)) continue;
    const often: Often = { b: counts.base.get(text) ?? 0, m: counts.main.get(text) ?? 0, w: counts.worker.get(text) ?? 0 };
    const actual = counts.result.get(text) ?? 0;
    const { least, most } = expected(often, text, touches);
    if (actual < least) missing.push(...lost(text, often, least - actual, places, changes));
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

/** Both changes of the number add up. A line that both sides insert may be one and the same, and so may one that both delete. */
function expected({ b, m, w }: Often, text: string, { inserted, deleted }: Touched): { readonly least: number; readonly most: number } {
  const least = m + w - b - Math.min(inserted.main.get(text) ?? 0, inserted.worker.get(text) ?? 0);
  const most = m + w - b + Math.min(deleted.main.get(text) ?? 0, deleted.worker.get(text) ?? 0);
  return { least: Math.max(0, least), most: Math.max(0, most) };
}

/** How often each side inserts and deletes a line, which also counts a line that it moves. */
interface Touched {
  readonly inserted: Readonly<Record<OneSide, Counts>>;
  readonly deleted: Readonly<Record<OneSide, Counts>>;
}

/** A change can be read in more than one way where lines repeat, and git may read it in another way than llmc: each line counts in the way with more of it. */
function touched(versions: Versions, { made }: Changes): Touched {
  const counts = (side: OneSide) => {
    const readings = [made[side].hunks, diffSequences(versions.base, versions[side], true)];
    return {
      inserted: highest(readings.map((hunks) => countsOf(hunks.flatMap(({ bStart, bEnd }) => versions[side].slice(bStart, bEnd))))),
      deleted: highest(readings.map((hunks) => countsOf(hunks.flatMap(({ aStart, aEnd }) => versions.base.slice(aStart, aEnd))))),
    };
  };
  const [main, worker] = [counts('main'), counts('worker')];
  return {
    inserted: { main: main.inserted, worker: worker.inserted },
    deleted: { main: main.deleted, worker: worker.deleted },
  };
}

function highest(readings: readonly Counts[]): Counts {
  const all: Counts = new Map();
  for (const reading of readings) for (const [text, count] of reading) all.set(text, Math.max(count, all.get(text) ?? 0));
  return all;
}

function placesOf(lines: readonly string[]): Places {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else known.push(at);
  }
  return places;
}

function lost(text: string, { b, m, w }: Often, count: number, places: Readonly<Record<OneSide, Places>>, changes: Changes): Missing[] {
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
