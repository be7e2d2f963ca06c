export interface ExitPolicy {
  /** llmc calls a person at this many crashes in a row, and starts the agent again after each earlier one. */
  readonly maxCrashes: number;
  /** The wait before each restart; the last one counts for all later ones. */
  readonly backoffMs: readonly number[];
  /** The share of a wait that chance may add. */
  readonly jitter: number;
  /** The wait before the restart of an agent whose last words are about a rate limit. */
  readonly rateLimitMs: number;
  /** The same for a timeout or a lost connection. */
  readonly timeoutMs: number;
  /** An agent that lived shorter than this never really started. */
  readonly stillbornMs: number;
  /** A conversation is given up after this many starts in a row that ended by themselves before they had resumed it. */
  readonly resumeAttempts: number;
}

/** A single kill needs no wait. A second crash may have a cause that takes a moment to go away. */
export const EXIT_POLICY: ExitPolicy = {
  maxCrashes: 3,
  backoffMs: [0, 10_000],
  jitter: 0.2,
  rateLimitMs: 5 * 60_000,
  timeoutMs: 30_000,
  stillbornMs: 5_000,
  resumeAttempts: 3,
};
