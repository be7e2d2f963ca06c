import type { Activity } from '../../activity.ts';
import { hasBox, type Seen } from './seen.ts';
import { TEXTS } from './texts.ts';

export function readRetrying(seen: Seen): Activity | undefined {
  return seen.turn.status !== undefined && TEXTS.reconnecting.test(seen.turn.status) && isBusy(seen)
    ? { kind: 'processing', detail: 'retrying' }
    : undefined;
}

export function readCompacting(seen: Seen): Activity | undefined {
  return seen.turn.status !== undefined && TEXTS.compacting.test(seen.turn.status) && isBusy(seen)
    ? { kind: 'processing', detail: 'compacting' }
    : undefined;
}

/** The title says so also while text arrives, when nothing on the screen does (53 of 53 looks at 0.166.0). */
export function readTitleBusy({ frame }: Seen): Activity | undefined {
  return frame.title?.state === 'working' ? { kind: 'processing' } : undefined;
}

export function readStatus(seen: Seen): Activity | undefined {
  return seen.turn.status !== undefined && isBusy(seen) ? { kind: 'processing' } : undefined;
}

/** Without a title: a reply with no closing line below it is still being written. */
export function readStreaming(seen: Seen): Activity | undefined {
  return hasBox(seen) && seen.frame.title === undefined && seen.turn.end.kind === 'reply' ? { kind: 'processing' } : undefined;
}

/** A reply may end with the very words of a status line; the title never does. */
const isBusy = (seen: Seen): boolean => hasBox(seen) && seen.frame.title?.state !== 'ready';
