import type { Activity } from '../../activity.ts';
import { hasBox } from '../../screen-rules/rules.ts';
import { parseResetTime } from '../reset-time.ts';
import type { Texts } from './texts.ts';
import type { TurnParagraph } from './turn.ts';
import type { ClaudeView } from './view.ts';

/** The conversation shows the time with its zone, the footer without it, so the conversation wins. */
export function limitActivity({ frame, turn, now }: ClaudeView, continuesByItself: boolean): Activity {
  const { texts, footer } = frame;
  const lines = [
    ...footer.filter((line) => texts.limitBanner.test(line)),
    ...turn.results.filter((one) => isLimit(one, texts)).map(({ text }) => text),
  ];
  const words = lines.flatMap((line) => texts.resets.exec(line)?.[1] ?? []).at(-1);
  const resetsAt = words === undefined || now === undefined ? undefined : parseResetTime(words, now);
  return { kind: 'waiting_limit', resetsAt: resetsAt ?? null, continuesByItself };
}

export function readLimitBanner(view: ClaudeView): Activity | undefined {
  const { footer, texts } = view.frame;
  if (!footer.some((line) => texts.limitBanner.test(line))) return undefined;
  const continues = footer.some((line) => texts.limitContinues.test(line));
  return limitActivity(view, continues);
}

export function readLimitResult(view: ClaudeView): Activity | undefined {
  const last = view.turn.results.at(-1);
  return hasBox(view) && last !== undefined && isLimit(last, view.frame.texts) ? limitActivity(view, false) : undefined;
}

const isLimit = ({ by, text }: TurnParagraph, texts: Texts): boolean => by === 'note' && texts.limitReached.test(text);

/** Reads only the end of the last turn, and only the exact formats of Claude Code, because replies mention errors too. */
export function readError(view: ClaudeView): Activity | undefined {
  const last = view.turn.results.at(-1);
  if (last === undefined || !hasBox(view)) return undefined;
  const found = view.frame.texts.errors.find(({ by, pattern }) => by === last.by && pattern.test(last.text));
  return found === undefined ? undefined : { kind: 'error', type: found.type, recoverable: found.recoverable, message: last.text };
}

export function readInterrupted(view: ClaudeView): Activity | undefined {
  const { interrupted, declined } = view.frame.texts;
  const [last, before] = view.turn.results.toReversed();
  if (last?.by !== 'note' || !hasBox(view)) return undefined;
  // A declined dialog lists its questions below the text that reports it.
  const refused = declined.test(last.text) || (before !== undefined && declined.test(before.text) && last.text.startsWith('· '));
  return refused || interrupted.test(last.text) ? { kind: 'ready', interrupted: true } : undefined;
}
