import type { Loss, Proof, Replaced, Side } from './proof.ts';

/**
 * The proof of work that went on after its conflict was resolved. `standing` is what an earlier proof found and nobody put right,
 * `now` compares the sides with the new commit. A later commit may change what the worker made, and what is older than both sides:
 * that is its task, and the diff shows it. It must not lose what main added, and a person sees what it changed of that.
 */
export function laterProof(standing: Proof, now: Proof | undefined): Proof {
  if (now === undefined) return standing;
  const lost = ofMain(standing.dropped, now.dropped);
  const removed = lost.filter(({ by }) => by === null);
  const back = ofMain(standing.resurrected, now.resurrected);
  const changed = lost.flatMap(({ by, explained: _, ...line }): Replaced[] => (by === null ? [] : [{ ...line, how: 'reworded', by }]));
  const isDropped = new Set([...standing.dropped, ...removed].map(toKey));
  const seen = new Map([...now.replaced, ...changed].map((line) => [toKey(line), line]));
  // What stands for a line may be another one by now.
  const replaced = standing.replaced.map((line) => seen.get(toKey(line)) ?? line);
  const more = ofMain(replaced, [...now.replaced, ...changed]).filter((line) => !isDropped.has(toKey(line)));
  const marked = new Set(standing.stops.map((stop) => (stop.kind === 'markers' ? stop.path : undefined)));
  return {
    ...now,
    stops: [...standing.stops, ...now.stops.filter((stop) => stop.kind === 'markers' && !marked.has(stop.path))],
    dropped: [...standing.dropped, ...removed],
    resurrected: [...standing.resurrected, ...back],
    replaced: [...replaced, ...more],
    // New lines and files of a later commit are its task.
    added: standing.added,
    notes: [...standing.notes.filter(({ kind }) => kind === 'file_added'), ...now.notes.filter(({ kind }) => kind !== 'file_added')],
    counts: {
      ...now.counts,
      dropped: standing.counts.dropped + removed.length,
      resurrected: standing.counts.resurrected + back.length,
      replaced: standing.counts.replaced + more.length,
      added: standing.counts.added,
      unexplained: standing.counts.unexplained + [...removed, ...back].filter(({ explained }) => !explained).length,
    },
  };
}

type Line = Pick<Loss, 'path' | 'text'> & { readonly side: Side };

function ofMain<Found extends Line>(known: readonly Line[], found: readonly Found[]): readonly Found[] {
  const keys = new Set(known.map(toKey));
  return found.filter((line) => line.side === 'main' && !keys.has(toKey(line)));
}

/** Not its line: a later commit moves it. */
const toKey = ({ side, path, text }: Line): string => JSON.stringify([side, path, text]);
