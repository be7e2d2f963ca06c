import type { ScreenReading } from '../../agents/agent.ts';
import type { Instant } from '../../base/ports.ts';
import type { WrongPattern } from '../../store/findings/wrong-patterns.ts';

export interface PatternView {
  readonly reading: ScreenReading;
  /** Since when the screen has been classified so, and since when it shows the same text. */
  readonly since: Instant;
  readonly stillSince: Instant;
  readonly launchedAt: Instant;
  /** A pass has classified a screen of this incarnation as ready, or as at work. */
  readonly wasReady: boolean;
  /** A prompt was typed into this incarnation, or a person has its terminal open. */
  readonly wasUsed: boolean;
}

/** Longer than an agent takes to draw its first screen. */
const NEVER_MATCHED_MS = 30_000;
/** A screen that still changes may show another line in a moment. */
const STILL_MS = 3_000;
/** An agent that prepares something at its start draws: a screen that stands still this long shows no work. */
const STILL_AT_WORK_MS = 60_000;

type Found = Pick<WrongPattern, 'pattern' | 'kind'>;

/**
 * A pattern that is proven wrong by the screen of an agent that waits for its first prompt. Nobody has given it anything to do, so it is
 * not at work; and if a pattern has matched before, something else covers the screen now.
 */
export function wrongAtStart(view: PatternView, now: Instant): Found | undefined {
  const { reading, since, stillSince, launchedAt, wasReady, wasUsed } = view;
  const { activity, pattern } = reading;
  if (pattern === undefined || wasUsed || now - Math.max(since, launchedAt) < NEVER_MATCHED_MS) return undefined;
  const stillMs = now - stillSince;
  if (activity.kind === 'processing') return stillMs >= STILL_AT_WORK_MS ? { pattern, kind: 'always_busy' } : undefined;
  return activity.kind === 'unknown' && !wasReady && stillMs >= STILL_MS ? { pattern, kind: 'never_matched' } : undefined;
}
