import type { Instant } from '../../base/ports.ts';

export interface NoticePolicy {
  /** When the quiet hours end; undefined outside of them. */
  readonly quietUntil: Instant | undefined;
  /** The time within which more than a few notices become one. Zero: each goes out at once. */
  readonly digestMs: number;
}

export type NoticeStep =
  | { readonly kind: 'send' }
  /** Keep it for one notice about all that were kept. */
  | { readonly kind: 'collect'; readonly until: Instant };

/** One person reads a few notices in a row. Ten bells are noise. */
const MOST_AT_ONCE = 3;

/** Decides whether a notice goes out now. `sentAt`: when the last ones went out; `collecting`: others are being kept. */
export function decideNotice(
  sentAt: readonly Instant[],
  collecting: boolean,
  { quietUntil, digestMs }: NoticePolicy,
  now: Instant,
): NoticeStep {
  if (quietUntil !== undefined) return { kind: 'collect', until: quietUntil };
  if (digestMs === 0) return { kind: 'send' };
  const recent = sentAt.filter((at) => at <= now && now - at < digestMs);
  if (!collecting && recent.length < MOST_AT_ONCE) return { kind: 'send' };
  return { kind: 'collect', until: Math.min(...recent, now) + digestMs };
}
