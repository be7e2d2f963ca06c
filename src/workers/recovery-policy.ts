import type { Config } from '../config/schema.ts';
import type { FailedTurnPolicy } from '../recovery/failed-turn-policy.ts';

/** The policies of `src/recovery` with the figures of config.toml. */

export function failedTurnPolicy({ recovery }: Config): FailedTurnPolicy {
  return {
    backoffMs: recovery.failedTurnBackoffSecs.map((seconds) => seconds * 1_000),
    jitter: recovery.backoffJitter,
    contextFull: recovery.contextFull,
  };
}
