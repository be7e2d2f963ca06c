export interface ResolutionPolicy {
  /** Without progress for this long, the agent gets step-by-step help. */
  readonly helpAfterMs: number;
  /** A person is called this long after the help, if there is still no progress. */
  readonly callAfterMs: number;
  /** A person is called when this many turns in a row end at the same stop. */
  readonly mostLoops: number;
}

export const RESOLUTION_POLICY: ResolutionPolicy = { helpAfterMs: 5 * 60_000, callAfterMs: 5 * 60_000, mostLoops: 3 };
