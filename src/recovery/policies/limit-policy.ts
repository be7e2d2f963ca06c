export interface LimitPolicy {
  /** How long an account is parked when the agent does not say when the limit ends. */
  readonly guessMs: number;
  /** An end further away than this was misread: the longest known limits are weekly. */
  readonly farthestMs: number;
  /** The interval between the workers of the account when they continue, and the maximum for all of them together. */
  readonly spacingMs: number;
  readonly widestMs: number;
  /** How long an agent that continues by itself gets for that after the end: Claude Code 2.1.325 took 95 s. */
  readonly selfMs: number;
}

export const LIMIT_POLICY: LimitPolicy = {
  guessMs: 5 * 60_000,
  farthestMs: 8 * 24 * 3_600_000,
  spacingMs: 2_000,
  widestMs: 60_000,
  selfMs: 3 * 60_000,
};
