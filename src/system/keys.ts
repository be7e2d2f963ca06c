import type { Clock } from '../base/ports.ts';
import { systemClock } from './clock.ts';

export type PressedKey<Key extends string> =
  | { readonly kind: 'key'; readonly key: Key }
  /** Ctrl+C. */
  | { readonly kind: 'interrupted' }
  /** Ctrl+D, or the terminal is gone. */
  | { readonly kind: 'closed' };

/** A terminal that keys come from. */
interface Keyboard {
  setRawMode(isRaw: boolean): unknown;
  on(event: string, listener: (chunk: Buffer) => void): unknown;
  off(event: string, listener: (chunk: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** What a terminal holds back is delivered at once; a person does not answer this fast. */
const TYPED_BEFORE_MS = 50;

/**
 * Waits for one of the keys, without echo. Keys that were typed before the question do not count: they were not meant as its
 * answer. Nor does a pasted text or the sequence of a function key: `ask` is called again then (`isAgain`), because a key that came with
 * it does not count either. An aborted signal closes the question.
 */
export async function askKey<Key extends string>(
  ask: (isAgain: boolean) => void,
  keys: readonly Key[],
  input: Keyboard = process.stdin,
  clock: Pick<Clock, 'sleep'> = systemClock,
  signal?: AbortSignal,
): Promise<PressedKey<Key>> {
  const pressed = Promise.withResolvers<PressedKey<Key>>();
  let isAsked = false;
  const onData = (chunk: Buffer) => {
    const text = chunk.toString('utf8');
    const key = keys.find((each) => each === text.toLowerCase());
    // In this mode the terminal sends no signal for Ctrl+C.
    if (text.includes('\u0003')) pressed.resolve({ kind: 'interrupted' });
    else if (text.includes('\u0004')) pressed.resolve({ kind: 'closed' });
    else if (isAsked && key !== undefined) pressed.resolve({ kind: 'key', key });
    else if (isAsked) ask(true);
  };
  const onEnd = () => pressed.resolve({ kind: 'closed' });
  const listeners = [
    ['data', onData],
    ['end', onEnd],
    ['close', onEnd],
    ['error', onEnd],
  ] as const;
  for (const [event, listener] of listeners) input.on(event, listener);
  signal?.addEventListener('abort', onEnd);
  input.setRawMode(true);
  input.resume();
  try {
    await clock.sleep(TYPED_BEFORE_MS);
    if (signal?.aborted === true) return { kind: 'closed' };
    isAsked = true;
    ask(false);
    return await pressed.promise;
  } finally {
    for (const [event, listener] of listeners) input.off(event, listener);
    signal?.removeEventListener('abort', onEnd);
    // A pager or an editor reads the next keys.
    input.pause();
    input.setRawMode(false);
  }
}
