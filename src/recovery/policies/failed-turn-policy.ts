const MINUTE_MS = 60_000;

export interface FailedTurnPolicy {
  /** The wait before each attempt to continue. A person is called when the last attempt has failed. */
  readonly backoffMs: readonly number[];
  /** The share of a wait that chance may add. */
  readonly jitter: number;
  /** What follows a conversation that does not fit into the model's context window. */
  readonly contextFull: 'ask' | 'compact' | 'fresh';
}

/** 68 minutes in total: an outage of the service for an hour needs no person. */
export const FAILED_TURN_POLICY: FailedTurnPolicy = {
  backoffMs: [1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE_MS),
  jitter: 0.2,
  contextFull: 'ask',
};
