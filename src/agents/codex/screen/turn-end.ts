import type { Activity } from '../../activity.ts';
import { hasBox } from '../../screen-rules/rules.ts';
import { parseResetTime } from '../reset-time.ts';
import { ERRORS, TEXTS } from './texts.ts';
import type { CodexView } from './view.ts';

/** Codex stops at the limit and never continues by itself (observed until 50 s after the reset). */
export function readLimit(view: CodexView): Activity | undefined {
  const text = findFailure(view);
  if (text === undefined || !TEXTS.limitReached.test(text)) return undefined;
  const words = TEXTS.resets.exec(text)?.[1];
  const resetsAt = words === undefined || view.now === undefined ? undefined : parseResetTime(words, view.now);
  return { kind: 'waiting_limit', resetsAt: resetsAt ?? null, continuesByItself: false };
}

export function readInterrupted(view: CodexView): Activity | undefined {
  return hasBox(view) && TEXTS.interrupted.test(findFailure(view) ?? '') ? { kind: 'ready', interrupted: true } : undefined;
}

/** Only the last text of the last turn counts. */
export function readError(view: CodexView): Activity | undefined {
  const message = hasBox(view) ? findFailure(view) : undefined;
  if (message === undefined || TEXTS.interrupted.test(message)) return undefined;
  const { type, recoverable } = ERRORS.find(({ pattern }) => pattern.test(message)) ?? { type: 'unknown', recoverable: true };
  return { kind: 'error', type, recoverable, message };
}

function findFailure({ turn }: CodexView): string | undefined {
  return turn.end.kind === 'failure' ? turn.end.text : undefined;
}
