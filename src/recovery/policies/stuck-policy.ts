const MINUTE_MS = 60_000;

/** The rungs of the ladder, as times without any sign of progress. */
export interface StuckPolicy {
  /** The agent is interrupted and asked for its status. */
  readonly nudgeMs: number;
  /** Whether it has answered or committed. */
  readonly checkMs: number;
  readonly secondNudgeMs: number;
  /** A person is called. */
  readonly callMs: number;
  /** What the agent shows this soon after it took the question is the question itself, not an answer. */
  readonly graceMs: number;
}

export const STUCK_POLICY: StuckPolicy = {
  nudgeMs: 30 * MINUTE_MS,
  checkMs: 35 * MINUTE_MS,
  secondNudgeMs: 40 * MINUTE_MS,
  callMs: 45 * MINUTE_MS,
  graceMs: MINUTE_MS,
};
