import { type Explanation, isExplained } from './explain.ts';
import { conflictsLeft } from './markers.ts';
import type { Added, HardStop, Loss, Proof } from './proof.ts';
import { type FileVersion, listLines } from './tree-file.ts';
import { isAlteration } from './verdict.ts';

/** Files by path. */
export type FilesByPath = ReadonlyMap<string, FileVersion>;

export interface Later {
  /** The files of the findings in the commit that was proven. */
  readonly before: FilesByPath;
  /** The same files now. */
  readonly now: FilesByPath;
  readonly explanations: readonly Explanation[];
}

/** What an earlier proof found, as far as later commits have not put it right. */
export function stillStanding(earlier: Proof, { before, now, explanations }: Later): Proof {
  const kept = <Line extends Added>(lines: readonly Line[], change: 1 | -1): Line[] => {
    const repaired = new Map<string, number>();
    return lines.filter(({ path, text }) => {
      const key = JSON.stringify([path, text.trim()]);
      const done = repaired.get(key) ?? 0;
      const more = (count(now.get(path), text) - count(before.get(path), text)) * change;
      if (more > done) repaired.set(key, done + 1);
      return more <= done;
    });
  };
  const explain = (kind: Explanation['kind'], losses: readonly Loss[]): Loss[] =>
    losses.map((loss) => ({ ...loss, explained: loss.explained || isExplained(kind, loss.path, loss.text, explanations) }));
  const dropped = explain('dropped', kept(earlier.dropped, 1));
  const resurrected = explain('restored', kept(earlier.resurrected, -1));
  const [replaced, added] = [kept(earlier.replaced, 1), kept(earlier.added, -1)];
  const stops = earlier.stops.filter((stop) => stands(stop, before, now));
  const notes = earlier.notes.filter((note) => isAlteration(note) && (note.kind !== 'file_added' || now.has(note.path)));
  return { ...counted(earlier, { stops, dropped, resurrected, replaced, added }), notes };
}

/**
 * The proof of a second conflict of the same work, with what is left of the first one. A line that the first resolution dropped
 * is part of no side of the second: it is right that it came back.
 */
export function withEarlier(proof: Proof, earlier: Proof, standing: Proof): Proof {
  const isIn = (lines: readonly Added[]) => {
    const keys = new Set(lines.map(toKey));
    return (line: Added) => keys.has(toKey(line));
  };
  const besides = <Line extends Added>(lines: readonly Line[], more: readonly Line[]): Line[] => {
    const isKnown = isIn(lines);
    return [...lines, ...more.filter((line) => !isKnown(line))];
  };
  const [wasDropped, wasBack] = [isIn(earlier.dropped), isIn(earlier.resurrected)];
  const lists = {
    stops: besidesEqual(proof.stops, standing.stops),
    dropped: besides(
      proof.dropped.filter((loss) => !wasBack(loss)),
      standing.dropped,
    ),
    resurrected: besides(
      proof.resurrected.filter((loss) => !wasDropped(loss)),
      standing.resurrected,
    ),
    replaced: besides(proof.replaced, standing.replaced),
    added: besides(
      proof.added.filter((line) => !wasDropped(line)),
      standing.added,
    ),
  };
  return { ...counted(proof, lists), notes: besidesEqual(proof.notes, standing.notes) };
}

function besidesEqual<Finding>(findings: readonly Finding[], more: readonly Finding[]): Finding[] {
  const known = new Set(findings.map((finding) => JSON.stringify(finding)));
  return [...findings, ...more.filter((finding) => !known.has(JSON.stringify(finding)))];
}

const toKey = ({ path, text }: Added): string => JSON.stringify([path, text.trim()]);

/** Lists are cut, counts are not: what `proof` counts beyond its lists stays counted while anything is listed. */
function counted(proof: Proof, lists: Pick<Proof, 'stops' | 'dropped' | 'resurrected' | 'replaced' | 'added'>): Proof {
  const open = (losses: readonly Loss[]): number => losses.filter(({ explained }) => !explained).length;
  const both = ({ dropped, resurrected }: Pick<Proof, 'dropped' | 'resurrected'>): number => open(dropped) + open(resurrected);
  const { counts } = proof;
  const beyond = (count: number, listed: number, left: number): number => (left === 0 ? 0 : count - listed + left);
  return {
    ...proof,
    ...lists,
    counts: {
      ...counts,
      dropped: beyond(counts.dropped, proof.dropped.length, lists.dropped.length),
      resurrected: beyond(counts.resurrected, proof.resurrected.length, lists.resurrected.length),
      replaced: beyond(counts.replaced, proof.replaced.length, lists.replaced.length),
      added: beyond(counts.added, proof.added.length, lists.added.length),
      unexplained: beyond(counts.unexplained, both(proof), both(lists)),
    },
  };
}

/** The end of a long line is not in the proof. */
function count(file: FileVersion | undefined, text: string): number {
  const wanted = text.trim();
  const beginning = wanted.endsWith('…') ? wanted.slice(0, -1) : undefined;
  return listLines(file ?? null).filter((line) => {
    const trimmed = line.trim();
    return trimmed === wanted || (beginning !== undefined && trimmed.startsWith(beginning));
  }).length;
}

function stands(stop: HardStop, before: FilesByPath, now: FilesByPath): boolean {
  // Any later commit changes this; the lines of the work are listed beside it.
  if (stop.kind === 'empty_change') return false;
  const file = now.get(stop.path);
  switch (stop.kind) {
    case 'lost_file':
      return file === undefined;
    case 'markers': {
      const lines = listLines(file ?? null);
      return conflictsLeft(lines, new Set(lines.keys())).length > 0;
    }
    case 'mode':
      return (file?.mode ?? null) === stop.actual;
    case 'emptied':
    case 'content':
      return file?.id === before.get(stop.path)?.id;
  }
}
