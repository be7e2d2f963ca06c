import type { Activity } from '../../activity.ts';
import { parseResetTime } from '../reset-time.ts';
import { hasBox, type Seen } from './seen.ts';
import { ERRORS, TEXTS } from './texts.ts';

/** Codex stops at the limit and never goes on by itself (watched until 50 s after the reset). */
export function readLimit(seen: Seen): Activity | undefined {
  const text = failureOf(seen);
  if (text === undefined || !TEXTS.limitReached.test(text)) return undefined;
  const words = TEXTS.resets.exec(text)?.[1];
  const resetsAt = words === undefined || seen.now === undefined ? undefined : parseResetTime(words, seen.now);
  return { kind: 'waiting_limit', resetsAt: resetsAt ?? null, continuesByItself: false };
}

export function readInterrupted(seen: Seen): Activity | undefined {
  return hasBox(seen) && TEXTS.interrupted.test(failureOf(seen) ?? '') ? { kind: 'ready', interrupted: true } : undefined;
}

/** Only the last words of the last turn count. */
export function readError(seen: Seen): Activity | undefined {
  const message = hasBox(seen) ? failureOf(seen) : undefined;
  if (message === undefined || TEXTS.interrupted.test(message)) return undefined;
  const { type, recoverable } = ERRORS.find(({ pattern }) => pattern.test(message)) ?? { type: 'unknown', recoverable: true };
  return { kind: 'error', type, recoverable, message };
}

function failureOf({ turn }: Seen): string | undefined {
  return turn.end.kind === 'failure' ? turn.end.text : undefined;
}
