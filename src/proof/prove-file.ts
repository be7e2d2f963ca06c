import { changeOf } from './align.ts';
import { type Changes, type Compared, compareCounts, type OneSide, type Surplus, type Versions } from './compare-counts.ts';
import { judgeMissing } from './judge-missing.ts';
import type { Note, Replaced, Side } from './proof.ts';
import { hasLetters } from './words.ts';

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
  readonly dropped: readonly (MissingLine & { readonly added: boolean })[];
  readonly resurrected: readonly FoundLine[];
  readonly replaced: readonly (MissingLine & Pick<Replaced, 'how' | 'by'>)[];
  /** Lines that the result has more often than it should: a line that another file lost may have moved here. */
  readonly surplus: readonly Surplus[];
  readonly reindented: number;
  /** Lines that are at another place of the same file now. */
  readonly movedInside: number;
  readonly lineEndings: LineEndings | null;
}

type LineEndings = Extract<Note, { kind: 'line_endings' }>['now'];

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
    made: { main: changeOf(versions.base, versions.main), worker: changeOf(versions.base, versions.worker) },
    resolved: { main: changeOf(versions.main, versions.result), worker: changeOf(versions.worker, versions.result) },
  };
  const compared = compareCounts(versions, changes);
  const judged = judgeMissing(compared.missing, { versions, changes, surplus: compared.surplus, movedAway });
  const missing = compared.missing.map((line, index) => ({ ...line, line: line.at + 1, judgement: judged[index] }));
  return {
    dropped: missing.filter(({ judgement }) => judgement?.kind === 'dropped').sort(byLine),
    replaced: missing
      .flatMap(({ judgement, ...line }) => (judgement?.kind === 'replaced' ? [{ ...line, how: judgement.how, by: judgement.by }] : []))
      .sort(byLine),
    reindented: missing.filter(({ judgement }) => judgement?.kind === 'reindented').length,
    resurrected: resurrected(compared),
    surplus: compared.surplus,
    movedInside: movedInside(compared, versions, changes),
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

function movedInside({ missing }: Compared, versions: Versions, { made, resolved }: Changes): number {
  const lost = new Set(missing.map(({ text }) => text));
  const sides: readonly OneSide[] = ['main', 'worker'];
  const moved = sides.flatMap((side) =>
    versions[side].filter((text, at) => made[side].isInHunk(at) && resolved[side].successor.has(at) && hasLetters(text) && !lost.has(text)),
  );
  return new Set(moved).size;
}

function newEndings({ main, worker, result }: FileLines): LineEndings | null {
  const now = endingsOf(result);
  return now === null || [main, worker].some((lines) => endingsOf(lines) === now) || main.length + worker.length === 0 ? null : now;
}

function endingsOf(lines: readonly string[]): LineEndings | null {
  if (lines.length === 0) return null;
  const returns = lines.filter((line) => line.endsWith('\r')).length;
  if (returns === 0) return 'lf';
  // The last line may have no ending at all.
  return returns >= lines.length - 1 ? 'crlf' : 'mixed';
}
