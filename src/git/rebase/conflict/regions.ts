import type { Region, VersionPart } from './facts.ts';
import type { Labels } from './repeat-merge.ts';

/** A file in its three versions; an absent one has no lines. */
export interface VersionTexts {
  readonly base: string;
  readonly main: string;
  readonly worker: string;
}

/** Lines before and after a region. They also find its place in each version. */
const CONTEXT_LINES = 8;
/** Further regions of a file are not described. */
const MOST_REGIONS = 100;

/** The lines of a text without their ends. */
export function splitLines(text: string): readonly string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n').map((line) => line.replace(/\r$/, ''));
}

/** What git wrote into the file at the conflict. */
export interface Merged {
  readonly lines: readonly string[];
  /** The lines with markers, from 1, for each region. */
  readonly markers: readonly (readonly number[])[];
  readonly regions: readonly Omit<Region, 'line'>[];
}

interface Piece {
  /** Indexes of its marker lines. */
  readonly markers: readonly number[];
  /** Plain lines before the first marker, and since the region before. */
  readonly before: readonly string[];
  readonly main: readonly string[];
  readonly base: readonly string[];
  readonly worker: readonly string[];
}

/**
 * Finds the regions in a file that git merged with these labels in diff3 style. The label of main's side is the hash of a commit that
 * was made for this merge, so a line of the file that looks like a marker is not taken for one.
 */
export function parseRegions(merged: string, labels: Labels, texts: VersionTexts): Merged {
  const versions = { base: splitLines(texts.base), main: splitLines(texts.main), worker: splitLines(texts.worker) };
  const lines = splitLines(merged);
  const { pieces, rest } = split(lines, labels, versions);
  const next = { base: 0, main: 0, worker: 0 };
  const regions = pieces.slice(0, MOST_REGIONS).map((piece, index) => {
    const before = piece.before.slice(-CONTEXT_LINES);
    const after = (pieces[index + 1]?.before ?? rest).slice(0, CONTEXT_LINES);
    const place = (side: keyof VersionTexts): VersionPart => {
      const start = choosePlace(versions[side], piece[side], before, after, next[side]);
      next[side] = start + piece[side].length;
      return { start: start + 1, lines: piece[side] };
    };
    return { main: place('main'), base: place('base'), worker: place('worker'), before, after };
  });
  return { lines, markers: pieces.map((piece) => piece.markers.map((index) => index + 1)), regions };
}

type Lines = Readonly<Record<keyof VersionTexts, readonly string[]>>;

function split(lines: readonly string[], labels: Labels, versions: Lines): { pieces: Piece[]; rest: readonly string[] } {
  const pieces: Piece[] = [];
  let since = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const size = markerSize(lines[at] ?? '', '<', labels.main);
    if (size === 0) continue;
    const end = lines.findIndex((line, index) => index > at && markerSize(line, '>', labels.worker) === size);
    if (end === -1) break;
    const { inner, ...sides } = splitSides(lines.slice(at + 1, end), size, labels, versions);
    pieces.push({ before: lines.slice(since, at), markers: [at, ...inner.map((index) => at + 1 + index), end], ...sides });
    since = end + 1;
    at = end;
  }
  return { pieces, rest: lines.slice(since) };
}

/** The length of the run if the line is a marker with this label, else 0. git makes it longer where names differ, or by an attribute. */
function markerSize(line: string, sign: string, label: string): number {
  const blank = line.indexOf(' ');
  const found = line.slice(blank + 1);
  if (blank < 1 || (found !== label && !found.startsWith(`${label}:`))) return 0;
  return line.slice(0, blank) === sign.repeat(blank) ? blank : 0;
}

/** Splits the lines between the first and the last marker. `inner`: the markers among them. */
function splitSides(body: readonly string[], size: number, labels: Labels, versions: Lines) {
  // git abbreviates the hash of the base.
  const isBase = (line: string) => {
    const [, run = '', hash = ''] = /^(\|+) ([0-9a-f]{4,64})(?::|$)/.exec(line) ?? [];
    return run.length === size && hash !== '' && labels.base.startsWith(hash);
  };
  const bar = body.findIndex(isBase);
  const separators = body.flatMap((line, index) => (index > bar && line === '='.repeat(size) ? [index] : []));
  // A side can contain such a line too, so take the one where both parts are in their versions.
  const fits = (at: number) => contains(versions.base, body.slice(bar + 1, at)) && contains(versions.worker, body.slice(at + 1));
  const middle = (separators.length > 1 ? separators.find(fits) : undefined) ?? separators[0] ?? body.length;
  return {
    main: body.slice(0, bar === -1 ? middle : bar),
    base: bar === -1 ? [] : body.slice(bar + 1, middle),
    worker: body.slice(middle + 1),
    inner: [bar, middle].filter((index) => index !== -1 && index < body.length),
  };
}

const startsAt = (lines: readonly string[], at: number, part: readonly string[]): boolean =>
  at + part.length <= lines.length && part.every((line, index) => lines[at + index] === line);

const contains = (lines: readonly string[], part: readonly string[]): boolean =>
  part.length === 0 || lines.some((_, at) => startsAt(lines, at, part));

/** Finds a part in its version: where it occurs more than once, at the place with the most equal lines around it. */
function choosePlace(
  lines: readonly string[],
  part: readonly string[],
  before: readonly string[],
  after: readonly string[],
  from: number,
): number {
  let best = { at: from, equal: -1 };
  for (let at = from; at + part.length <= lines.length; at += 1) {
    if (!startsAt(lines, at, part)) continue;
    const equal = equalBefore(lines, at, before) + equalAfter(lines, at + part.length, after);
    if (equal > best.equal) best = { at, equal };
    if (equal === before.length + after.length) break;
  }
  return best.at;
}

function equalBefore(lines: readonly string[], at: number, before: readonly string[]): number {
  let count = 0;
  while (count < before.length && lines[at - 1 - count] === before[before.length - 1 - count]) count += 1;
  return count;
}

function equalAfter(lines: readonly string[], at: number, after: readonly string[]): number {
  let count = 0;
  while (count < after.length && lines[at + count] === after[count]) count += 1;
  return count;
}
