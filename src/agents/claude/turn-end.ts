import type { Activity } from '../activity.ts';
import { parseResetTime } from './reset-time.ts';
import { hasBox, type Seen } from './seen.ts';

/** The conversation shows the time with its zone, the footer without: the first is taken where both are there. */
export function limitActivity({ frame, turn, now }: Seen, continuesByItself: boolean): Activity {
  const { texts, footer } = frame;
  const said = [...footer.filter((line) => texts.limitBanner.test(line)), ...turn.results.filter((line) => texts.limitReached.test(line))];
  const words = said.flatMap((line) => texts.resets.exec(line)?.[1] ?? []).at(-1);
  const resetsAt = words === undefined || now === undefined ? undefined : parseResetTime(words, now);
  return { kind: 'waiting_limit', resetsAt: resetsAt ?? null, continuesByItself };
}

export function readLimitBanner(seen: Seen): Activity | undefined {
  const { footer, texts } = seen.frame;
  if (!footer.some((line) => texts.limitBanner.test(line))) return undefined;
  const continues = footer.some((line) => texts.limitContinues.test(line));
  return limitActivity(seen, continues);
}

export function readLimitResult(seen: Seen): Activity | undefined {
  const last = seen.turn.results.at(-1) ?? '';
  return hasBox(seen) && seen.frame.texts.limitReached.test(last) ? limitActivity(seen, false) : undefined;
}

/** Only the last words of the last turn count, and only in the exact form Claude Code gives them: replies talk about errors too. */
export function readError(seen: Seen): Activity | undefined {
  const message = seen.turn.results.at(-1) ?? '';
  const found = hasBox(seen) ? seen.frame.texts.errors.find(({ pattern }) => pattern.test(message)) : undefined;
  return found === undefined ? undefined : { kind: 'error', type: found.type, recoverable: found.recoverable, message };
}

export function readInterrupted(seen: Seen): Activity | undefined {
  const { interrupted, declined } = seen.frame.texts;
  const [last = '', before = ''] = seen.turn.results.toReversed();
  // A declined dialog lists its questions below the words that say so.
  const stopped = interrupted.test(last) || declined.test(last) || (declined.test(before) && last.startsWith('· '));
  return hasBox(seen) && stopped ? { kind: 'ready', interrupted: true } : undefined;
}
