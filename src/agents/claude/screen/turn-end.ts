import type { Activity } from '../../activity.ts';
import { parseResetTime } from '../reset-time.ts';
import { hasBox, type Seen } from './seen.ts';
import type { Texts } from './texts.ts';
import type { Result } from './turn.ts';

/** The conversation shows the time with its zone, the footer without: the first is taken where both are there. */
export function limitActivity({ frame, turn, now }: Seen, continuesByItself: boolean): Activity {
  const { texts, footer } = frame;
  const said = [
    ...footer.filter((line) => texts.limitBanner.test(line)),
    ...turn.results.filter((one) => isLimit(one, texts)).map(({ text }) => text),
  ];
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
  const last = seen.turn.results.at(-1);
  return hasBox(seen) && last !== undefined && isLimit(last, seen.frame.texts) ? limitActivity(seen, false) : undefined;
}

const isLimit = ({ by, text }: Result, texts: Texts): boolean => by === 'note' && texts.limitReached.test(text);

/** Only the last words of the last turn count, and only in the exact form Claude Code gives them: replies talk about errors too. */
export function readError(seen: Seen): Activity | undefined {
  const last = seen.turn.results.at(-1);
  if (last === undefined || !hasBox(seen)) return undefined;
  const found = seen.frame.texts.errors.find(({ by, pattern }) => by === last.by && pattern.test(last.text));
  return found === undefined ? undefined : { kind: 'error', type: found.type, recoverable: found.recoverable, message: last.text };
}

export function readInterrupted(seen: Seen): Activity | undefined {
  const { interrupted, declined } = seen.frame.texts;
  const [last, before] = seen.turn.results.toReversed();
  if (last?.by !== 'note' || !hasBox(seen)) return undefined;
  // A declined dialog lists its questions below the words that say so.
  const refused = declined.test(last.text) || (before !== undefined && declined.test(before.text) && last.text.startsWith('· '));
  return refused || interrupted.test(last.text) ? { kind: 'ready', interrupted: true } : undefined;
}
