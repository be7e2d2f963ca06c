/** What a round of the patrol knows about one worker. */
export interface PatrolView {
  readonly name: string;
  /** A command, a start or a step works on it: the next round looks again. */
  readonly busy: boolean;
  readonly offline: boolean;
  /** Whether its agent has to run: it is neither offline nor given up. */
  readonly expected: boolean;
  /** `unknown` if tmux did not answer. */
  readonly session: 'alive' | 'gone' | 'unknown';
  /** For how long the session has been gone. */
  readonly goneMs: number;
  /** For how long its agent has been ready although the worker is at work and no prompt is on its way; undefined if that is not so. */
  readonly readyMs: number | undefined;
  /** Whether it climbs the ladder of an agent without progress. */
  readonly stuck: boolean;
}

/** `rebased` and `not_refreshed` come from the work itself, the others are decided here. */
export type PatrolKind = 'session_missing' | 'session_restored' | 'turn_over' | 'rebased' | 'not_refreshed' | 'stuck' | 'not_checked';

export interface PatrolFinding {
  readonly kind: PatrolKind;
  readonly workers: readonly string[];
}

/** The quick passes act within seconds. What is still so after this time was overlooked. */
export const OVERLOOKED_MS = 60_000;

/** Decides what a round of the patrol finds; one finding per kind, in the order of the operations. */
export function decidePatrol(views: readonly PatrolView[]): readonly PatrolFinding[] {
  const found = new Map<PatrolKind, string[]>();
  for (const view of views) for (const kind of listKinds(view)) found.set(kind, [...(found.get(kind) ?? []), view.name]);
  const order: readonly PatrolKind[] = ['session_missing', 'session_restored', 'turn_over', 'stuck'];
  return order.flatMap((kind) => {
    const workers = found.get(kind);
    return workers === undefined ? [] : [{ kind, workers }];
  });
}

function listKinds({ busy, offline, expected, session, goneMs, readyMs, stuck }: PatrolView): readonly PatrolKind[] {
  if (busy || session === 'unknown') return [];
  if (offline) return session === 'alive' ? ['session_restored'] : [];
  if (session === 'gone') return expected && goneMs >= OVERLOOKED_MS ? ['session_missing'] : [];
  return [...(readyMs !== undefined && readyMs >= OVERLOOKED_MS ? ['turn_over' as const] : []), ...(stuck ? ['stuck' as const] : [])];
}
