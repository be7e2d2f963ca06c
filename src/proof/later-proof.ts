import type { Loss, Proof } from './proof.ts';

/**
 * The proof of work that went on after its conflict was resolved. `standing` is what an earlier proof found and nobody put right,
 * `now` compares the sides with the new commit. A later commit may change what the worker made, and what is older than both sides:
 * that is its task, and the diff shows it. It must not lose what main added.
 */
export function laterProof(standing: Proof, now: Proof | undefined): Proof {
  if (now === undefined) return standing;
  const dropped = [...standing.dropped, ...lostOfMain(standing.dropped, now.dropped)];
  const resurrected = [...standing.resurrected, ...lostOfMain(standing.resurrected, now.resurrected)];
  const marked = new Set(standing.stops.map((stop) => (stop.kind === 'markers' ? stop.path : undefined)));
  const more = [...dropped.slice(standing.dropped.length), ...resurrected.slice(standing.resurrected.length)];
  return {
    ...now,
    stops: [...standing.stops, ...now.stops.filter((stop) => stop.kind === 'markers' && !marked.has(stop.path))],
    dropped,
    resurrected,
    counts: {
      ...now.counts,
      dropped: standing.counts.dropped + dropped.length - standing.dropped.length,
      resurrected: standing.counts.resurrected + resurrected.length - standing.resurrected.length,
      unexplained: standing.counts.unexplained + more.filter(({ explained }) => !explained).length,
    },
  };
}

function lostOfMain(known: readonly Loss[], found: readonly Loss[]): readonly Loss[] {
  const keys = new Set(known.map(keyOf));
  return found.filter((loss) => loss.side === 'main' && !keys.has(keyOf(loss)));
}

/** Not its line: a later commit moves it. */
const keyOf = ({ side, path, text }: Loss): string => JSON.stringify([side, path, text]);
