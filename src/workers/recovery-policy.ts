import type { Config } from '../config/schema.ts';
import { EXIT_POLICY, type ExitPolicy } from '../recovery/policies/exit-policy.ts';
import type { FailedTurnPolicy } from '../recovery/policies/failed-turn-policy.ts';
import { LIMIT_POLICY, type LimitPolicy } from '../recovery/policies/limit-policy.ts';
import { STUCK_POLICY, type StuckPolicy } from '../recovery/policies/stuck-policy.ts';

/** The policies of `src/recovery` with the figures of config.toml. */

export function failedTurnPolicy({ recovery }: Config): FailedTurnPolicy {
  return {
    backoffMs: recovery.failedTurnBackoffSecs.map((seconds) => seconds * 1_000),
    jitter: recovery.backoffJitter,
    contextFull: recovery.contextFull,
  };
}

/** Undefined: the worker may be silent for ever. */
export function stuckPolicy({ recovery, workers }: Config, name: string): StuckPolicy | undefined {
  // hasOwn, because "constructor" is a valid worker name.
  const own = Object.hasOwn(workers, name) ? workers[name]?.stuckSecs : undefined;
  const [nudge, check, secondNudge, call] = own ?? recovery.stuckSecs;
  if (nudge === undefined || check === undefined || secondNudge === undefined || call === undefined) return undefined;
  return {
    nudgeMs: nudge * 1_000,
    checkMs: check * 1_000,
    secondNudgeMs: secondNudge * 1_000,
    callMs: call * 1_000,
    // Rungs that are seconds apart leave no minute for the question.
    graceMs: Math.min(STUCK_POLICY.graceMs, ((check - nudge) * 1_000) / 2),
  };
}

export function exitPolicy({ recovery }: Config): ExitPolicy {
  return {
    ...EXIT_POLICY,
    maxCrashes: recovery.maxCrashes,
    backoffMs: recovery.crashBackoffSecs.map((seconds) => seconds * 1_000),
    jitter: recovery.backoffJitter,
    rateLimitMs: recovery.rateLimitWaitSecs * 1_000,
  };
}

export function limitPolicy({ recovery }: Config): LimitPolicy {
  return { ...LIMIT_POLICY, guessMs: recovery.rateLimitWaitSecs * 1_000 };
}
