import { type Explanation, isExplained } from './explain.ts';
import { isDeletedBeforeMove, isElsewhere, MovePool, type SideMoves, sideMoves } from './moves.ts';
import type { Added, HardStop, Loss, Proof, ProofNote, Replaced, Side } from './proof.ts';
import type { FileProof, FoundLine, MissingLine } from './prove-file.ts';
import { byRule, type FileFindings, type MovedAway, proveOne } from './prove-one.ts';
import { pickPath, type TreeFile } from './tree-file.ts';

export interface TreeOptions {
  /** The result has exactly the files of main. */
  readonly sameAsMain: boolean;
  readonly explanations: readonly Explanation[];
  /** Paths of files that a rule decides about. */
  readonly ruled?: ReadonlySet<string>;
}

/** More than a person or an agent reads. The counts are of all. */
const MOST_LISTED = 200;
const LONGEST_TEXT = 300;

/** Proves the files of a result whose content is not simply the one of a side. */
export function proveTree(files: readonly TreeFile[], { sameAsMain, explanations, ruled }: TreeOptions): Proof {
  const moves = sideMoves(files);
  const ofSides = new Set(files.flatMap(({ main, worker }) => [main?.id, worker?.id]));
  const findings = files.map((file) => {
    const movedAway: MovedAway = (side, text) => isElsewhere(moves.added[side], text, file);
    const found = proveOne(file, movedAway, (id) => ofSides.has(id));
    return ruled?.has(pickPath(file)) === true ? byRule(found) : found;
  });
  const pool = new MovePool(findings);
  const settled = findings.map((finding) => settle(finding, pool, moves));
  const dropped = settled.flatMap((file) => file.dropped.map((loss) => explained('dropped', loss, explanations))).sort(byWeight);
  const resurrected = settled.flatMap((file) => file.resurrected.map((loss) => explained('restored', loss, explanations))).sort(byWeight);
  const replaced = settled.flatMap((file) => file.replaced).sort(byWeight);
  // Only now it is known which of them are lines that another file lost.
  const added = findings.flatMap(({ file, lines, notes }) =>
    notes.some(({ kind }) => kind === 'file_added') ? [] : addedIn(file, lines, pool),
  );
  const stops = settled.flatMap((file) => file.stops);
  // A new file that has nothing but the lines of another one is said to be where they moved to.
  const movedTo = new Set(
    findings.flatMap(({ file, lines }) => (lines?.movable.every((line) => pool.isTaken(line)) === true ? [file.result?.path] : [])),
  );
  const isNotMoved = (note: ProofNote): boolean => note.kind !== 'file_added' || note.lines === 0 || !movedTo.has(note.path);
  const lacksWork = [...dropped, ...resurrected, ...replaced].some(({ side }) => side !== 'main') || stops.length > 0;
  const empty: readonly HardStop[] = sameAsMain && lacksWork ? [{ kind: 'empty_change' }] : [];
  return {
    stops: [...empty, ...stops].slice(0, MOST_LISTED),
    dropped: dropped.slice(0, MOST_LISTED).map(cutBoth),
    resurrected: resurrected.slice(0, MOST_LISTED).map(cut),
    replaced: replaced.slice(0, MOST_LISTED).map(cutBoth),
    added: added.slice(0, MOST_LISTED).map(cut),
    notes: settled
      .flatMap((file) => file.notes)
      .filter(isNotMoved)
      .slice(0, MOST_LISTED),
    counts: {
      files: findings.filter(({ lines }) => lines !== null).length,
      dropped: dropped.length,
      resurrected: resurrected.length,
      replaced: replaced.length,
      added: added.length,
      unexplained: [...dropped, ...resurrected].filter((loss) => !loss.explained).length,
    },
  };
}

interface Placed {
  readonly side: Side;
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

interface Missed extends Placed {
  readonly by: string | null;
}

interface Settled {
  readonly stops: readonly HardStop[];
  readonly dropped: readonly Missed[];
  readonly resurrected: readonly Missed[];
  readonly replaced: readonly Replaced[];
  readonly notes: readonly ProofNote[];
}

/** Takes lines that moved to another file off the list, and decides whether a file that is not there was moved or lost. */
function settle({ file, lines, stops, notes, isGone }: FileFindings, pool: MovePool, moves: SideMoves): Settled {
  if (lines === null) return { stops, notes, dropped: [], resurrected: [], replaced: [] };
  const moved = new Map<string, number>();
  const replaced: Replaced[] = lines.replaced.map(({ how, by, ...line }) => ({ ...ofSide(file, line), how, by, origin: null }));
  const missing = lines.dropped.filter((line) => {
    const { text, added, side, of, inRegion } = line;
    const to = pool.take(text, file.result?.path);
    if (to !== undefined) moved.set(to, (moved.get(to) ?? 0) + 1);
    if (to !== undefined && !isGone) {
      // A line that was not for the resolution to move is lost in its file.
      if (side !== 'worker' && !inRegion) return true;
      replaced.push({ ...ofSide(file, line), how: 'moved', by: to, origin: null });
    } else if (to === undefined && added && side !== 'both' && isDeletedBeforeMove(moves, of, text, file))
      replaced.push({ ...ofSide(file, line), how: 'deleted', by: null, origin: null });
    else return to === undefined;
    return false;
  });
  const isLost = isGone && (lines.dropped.length - missing.length) * 2 <= lines.dropped.length;
  const wasEmptied = stops.some(({ kind }) => kind === 'emptied');
  const side = file.main === null ? 'worker' : file.worker === null ? 'main' : 'both';
  return {
    stops: isLost ? [{ kind: 'lost_file', path: pickPath(file), side }, ...stops] : stops,
    // A hard stop about the whole file says enough about the lines that both sides kept.
    dropped: missing.filter(({ added }) => added || !(isLost || wasEmptied)).map((line) => ({ ...ofSide(file, line), by: line.by })),
    resurrected: lines.resurrected.map((line) => inResult(file, line)),
    replaced,
    notes: [...notes, ...[...moved].map(([to, count]): ProofNote => ({ kind: 'moved', path: pickPath(file), to, lines: count }))],
  };
}

const ofSide = (file: TreeFile, { side, of, line, text }: MissingLine): Placed => ({
  side,
  path: file[of]?.path ?? pickPath(file),
  line,
  text,
});

const inResult = (file: TreeFile, { side, line, text }: FoundLine): Missed => ({
  side,
  path: file.result?.path ?? pickPath(file),
  line,
  text,
  by: null,
});

const addedIn = (file: TreeFile, lines: FileProof | null, pool: MovePool): readonly Added[] =>
  (lines?.unclaimed ?? [])
    .filter((line) => !pool.isTaken(line))
    .map(({ at, text }) => ({ path: file.result?.path ?? pickPath(file), line: at + 1, text }));

/** What nobody explains first, then main's own lines: a list may be cut. */
function byWeight(one: Weighed, other: Weighed): number {
  const weight = ({ side, explained: isSaid = false }: Weighed): number => (isSaid ? 3 : 0) + SIDES.indexOf(side);
  return weight(one) - weight(other);
}

interface Weighed {
  readonly side: Side;
  readonly explained?: boolean;
}

const SIDES: readonly Side[] = ['main', 'both', 'worker'];

const explained = (kind: Explanation['kind'], loss: Missed, explanations: readonly Explanation[]): Loss => ({
  ...loss,
  origin: null,
  explained: isExplained(kind, loss.path, loss.text, explanations),
});

const cut = <Line extends { readonly text: string }>(line: Line): Line => ({ ...line, text: shortened(line.text) });

/** Of two long lines, the second one is shown where it differs. */
function cutBoth<Line extends Missed>(line: Line): Line {
  const { text, by } = line;
  if (by === null || by.length <= LONGEST_TEXT) return cut(line);
  const differs = Array.from({ length: by.length }, (_, at) => at).findIndex((at) => by[at] !== text[at]);
  const from = differs < LONGEST_TEXT - AROUND ? 0 : differs - AROUND;
  return { ...cut(line), by: `${from === 0 ? '' : '…'}${shortened(by.slice(from))}` };
}

const AROUND = 40;

const shortened = (text: string): string => (text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`);
