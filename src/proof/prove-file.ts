import { alignLines } from './align.ts';
import { type Changes, type Compared, compareCounts, type Surplus, type Versions } from './compare-counts.ts';
import { judgeMissing, withoutIndent } from './judge-missing.ts';
import { isMarker } from './markers.ts';
import type { OneSide, ProofNote, Replaced, Side } from './proof.ts';
import { diffSequences, type SequenceHunk } from './sequence-diff.ts';
import { hasLetters, isBlank } from './words.ts';

/** The lines of one file in the four trees, without line feeds; empty where the file does not exist. */
export type FileLines = Versions;

/** A line with its number, from 1: of the side's file, or of the result for a line that came back. */
export interface FoundLine {
  readonly side: Side;
  readonly line: number;
  readonly text: string;
}

export interface MissingLine extends FoundLine {
  /** The version that `line` counts in. */
  readonly of: OneSide;
}

export interface FileProof {
  readonly dropped: readonly (MissingLine & { readonly added: boolean; readonly inRegion: boolean; readonly by: string | null })[];
  readonly resurrected: readonly FoundLine[];
  readonly replaced: readonly (MissingLine & Pick<Replaced, 'how' | 'by'>)[];
  /** Lines that the result has more often than it should. */
  readonly surplus: readonly Surplus[];
  /** Those of them that neither side has here: a line that another file lost may have moved here. */
  readonly movable: readonly Surplus[];
  /** Those of them that also stand for no line of a side. */
  readonly unclaimed: readonly Surplus[];
  readonly reindented: number;
  /** Lines that are at another place of the same file now. */
  readonly movedInside: number;
  readonly lineEndings: LineEndings | null;
}

type LineEndings = Extract<ProofNote, { kind: 'line_endings' }>['now'];

const NOT_MOVED = (): boolean => false;

/** Compares the lines of both sides with the result, as multisets. */
export function proveFile(lines: FileLines, movedAway: (side: OneSide, text: string) => boolean = NOT_MOVED): FileProof {
  const versions: Versions = {
    base: withoutReturns(lines.base),
    main: withoutReturns(lines.main),
    worker: withoutReturns(lines.worker),
    result: withoutReturns(lines.result),
  };
  const changes: Changes = {
    made: { main: alignLines(versions.base, versions.main), worker: alignLines(versions.base, versions.worker) },
    resolved: { main: alignLines(versions.main, versions.result), worker: alignLines(versions.worker, versions.result) },
  };
  const compared = compareCounts(versions, changes);
  const judged = judgeMissing(compared.missing, { versions, changes, surplus: compared.surplus, movedAway });
  const missing = compared.missing.map((line, index) => ({ ...line, line: line.at + 1, judgement: judged[index] }));
  const gone = new Set(missing.flatMap(({ text, judgement }) => (judgement?.kind === 'reindented' ? [] : [text])));
  const own = compared.surplus.filter(({ deletedBy }) => deletedBy === undefined);
  const claimed = new Set(judged.map(({ at }) => at));
  const indented = new Set(judged.flatMap((judgement) => (judgement.kind === 'reindented' ? [judgement.at] : [])));
  return {
    dropped: missing
      .flatMap(({ judgement, ...line }) => (judgement?.kind === 'dropped' ? [{ ...line, by: judgement.by }] : []))
      .sort(byLine),
    replaced: missing
      .flatMap(({ judgement, ...line }) => (judgement?.kind === 'replaced' ? [{ ...line, how: judgement.how, by: judgement.by }] : []))
      .sort(byLine),
    reindented: missing.filter(({ judgement }) => judgement?.kind === 'reindented').length,
    resurrected: resurrected(compared),
    surplus: compared.surplus,
    movable: own.filter(({ at }) => !indented.has(at)),
    unclaimed: own.filter(({ at, text }) => !claimed.has(at) && !isMarker(text)),
    movedInside: movedInside(versions, changes, (text) => gone.has(text)),
    lineEndings: newEndings(lines),
  };
}

const byLine = (one: MissingLine, other: MissingLine): number => one.of.localeCompare(other.of) || one.line - other.line;

const withoutReturns = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));

/** Without brackets in a file that the result restructures. */
function resurrected({ surplus }: Compared): readonly FoundLine[] {
  const isRestructured = surplus.some(({ fresh }) => fresh);
  return surplus.flatMap(({ text, at, deletedBy }) =>
    deletedBy === undefined || (isRestructured && !hasLetters(text)) ? [] : [{ side: deletedBy, line: at + 1, text }],
  );
}

/**
 * How many lines are not in the order of their side any more, with any indentation. A line that the other side changed, deleted or
 * moved does not count. Where lines repeat or change places, the reading with the fewest moved lines counts.
 */
function movedInside(versions: Versions, { made }: Changes, isGone: (text: string) => boolean): number {
  const result = versions.result.map(withoutIndent);
  const sides: readonly OneSide[] = ['main', 'worker'];
  const moved = sides.flatMap((side) => {
    const lines = versions[side].map(withoutIndent);
    const other = made[side === 'main' ? 'worker' : 'main'];
    const before = listOrigins(made[side].hunks, lines.length);
    const isMoved = (at: number): boolean => {
      const [text = '', origin] = [versions[side][at], before[at]];
      return !isBlank(text) && !isGone(text) && !(origin !== undefined && other.successor.has(origin));
    };
    const [one = [], another = []] = [false, true].map((shortest) => changedIn(diffSequences(lines, result, shortest)).filter(isMoved));
    return (one.length < another.length ? one : another).map((at) => lines[at]);
  });
  return new Set(moved).size;
}

const changedIn = (hunks: readonly SequenceHunk[]): readonly number[] =>
  hunks.flatMap(({ aStart, aEnd }) => Array.from({ length: aEnd - aStart }, (_, at) => aStart + at));

/** For each line of a side the index in the base; undefined for one in a hunk. */
function listOrigins(hunks: readonly SequenceHunk[], length: number): readonly (number | undefined)[] {
  const origins: (number | undefined)[] = [];
  let base = 0;
  for (const { aStart, aEnd, bEnd } of hunks) {
    while (base < aStart) origins.push(base++);
    while (origins.length < bEnd) origins.push(undefined);
    base = aEnd;
  }
  while (origins.length < length) origins.push(base++);
  return origins;
}

/** The endings of the result, if it has a line of a side with another ending. */
function newEndings({ main, worker, result }: FileLines): LineEndings | null {
  const known = new Set([...main, ...worker].map(withoutIndent));
  // The last line of a file may have no ending, and is not the last one of the result.
  for (const last of [main.at(-1), worker.at(-1)]) if (last !== undefined) known.add(otherEnding(withoutIndent(last)));
  return result.map(withoutIndent).some((line) => !known.has(line) && known.has(otherEnding(line))) ? judgeEndings(result) : null;
}

const otherEnding = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : `${line}\r`);

function judgeEndings(lines: readonly string[]): LineEndings | null {
  if (lines.length === 0) return null;
  const returns = lines.filter((line) => line.endsWith('\r')).length;
  if (returns === 0) return 'lf';
  // The last line may have no ending at all.
  return returns >= lines.length - 1 ? 'crlf' : 'mixed';
}
