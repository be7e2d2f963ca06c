import { type Explanation, isExplained } from './explain.ts';
import { isDeletedBeforeMove, isElsewhere, MovePool, type SideMoves, sideMoves } from './moves.ts';
import type { HardStop, Loss, Note, Proof, Replaced, Side } from './proof.ts';
import type { FoundLine, MissingLine } from './prove-file.ts';
import { byRule, type FileFindings, type MovedAway, proveOne } from './prove-one.ts';
import { pathOf, type TreeFile } from './tree-file.ts';

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
    return ruled?.has(pathOf(file)) === true ? byRule(found) : found;
  });
  const pool = new MovePool(findings);
  const settled = findings.map((finding) => settle(finding, pool, moves));
  const dropped = settled.flatMap((file) => file.dropped.map((loss) => explained('dropped', loss, explanations)));
  const resurrected = settled.flatMap((file) => file.resurrected.map((loss) => explained('restored', loss, explanations)));
  const replaced = settled.flatMap((file) => file.replaced);
  const stops = settled.flatMap((file) => file.stops);
  const lacksWork = [...dropped, ...resurrected, ...replaced].some(({ side }) => side !== 'main') || stops.length > 0;
  const empty: readonly HardStop[] = sameAsMain && lacksWork ? [{ kind: 'empty_change' }] : [];
  return {
    stops: [...empty, ...stops].slice(0, MOST_LISTED),
    dropped: dropped.slice(0, MOST_LISTED).map(cut),
    resurrected: resurrected.slice(0, MOST_LISTED).map(cut),
    replaced: replaced.slice(0, MOST_LISTED).map((each) => ({ ...cut(each), by: each.by && shortened(each.by) })),
    notes: settled.flatMap((file) => file.notes).slice(0, MOST_LISTED),
    counts: {
      files: findings.filter(({ lines }) => lines !== null).length,
      dropped: dropped.length,
      resurrected: resurrected.length,
      replaced: replaced.length,
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

interface Settled {
  readonly stops: readonly HardStop[];
  readonly dropped: readonly Placed[];
  readonly resurrected: readonly Placed[];
  readonly replaced: readonly Replaced[];
  readonly notes: readonly Note[];
}

/** Takes lines that moved to another file off the list, and decides whether a file that is not there was moved or lost. */
function settle({ file, lines, stops, notes, isGone }: FileFindings, pool: MovePool, moves: SideMoves): Settled {
  if (lines === null) return { stops, notes, dropped: [], resurrected: [], replaced: [] };
  const moved = new Map<string, number>();
  const missing = lines.dropped.filter(({ text, added, side, of }) => {
    const to = pool.take(text, file.result?.path);
    if (to !== undefined) moved.set(to, (moved.get(to) ?? 0) + 1);
    return to === undefined && !(added && side !== 'both' && isDeletedBeforeMove(moves, of, text, file));
  });
  const isLost = isGone && (lines.dropped.length - missing.length) * 2 <= lines.dropped.length;
  const wasEmptied = stops.some(({ kind }) => kind === 'emptied');
  const side = file.main === null ? 'worker' : file.worker === null ? 'main' : 'both';
  return {
    stops: isLost ? [{ kind: 'lost_file', path: pathOf(file), side }, ...stops] : stops,
    // A hard stop about the whole file says enough about the lines that both sides kept.
    dropped: missing.filter(({ added }) => added || !(isLost || wasEmptied)).map((line) => ofSide(file, line)),
    resurrected: lines.resurrected.map((line) => inResult(file, line)),
    replaced: lines.replaced.map(({ how, by, ...line }) => ({ ...ofSide(file, line), how, by })),
    notes: [...notes, ...[...moved].map(([to, count]): Note => ({ kind: 'moved', path: pathOf(file), to, lines: count }))],
  };
}

const ofSide = (file: TreeFile, { side, of, line, text }: MissingLine): Placed => ({
  side,
  path: file[of]?.path ?? pathOf(file),
  line,
  text,
});

const inResult = (file: TreeFile, { side, line, text }: FoundLine): Placed => ({
  side,
  path: file.result?.path ?? pathOf(file),
  line,
  text,
});

const explained = (kind: Explanation['kind'], loss: Placed, explanations: readonly Explanation[]): Loss => ({
  ...loss,
  explained: isExplained(kind, loss.path, loss.text, explanations),
});

const cut = <Line extends Placed>(line: Line): Line => ({ ...line, text: shortened(line.text) });

const shortened = (text: string): string => (text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`);
