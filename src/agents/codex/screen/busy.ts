import type { Activity } from '../../activity.ts';
import { hasBox } from '../../screen-rules/rules.ts';
import { TEXTS } from './texts.ts';
import type { CodexView } from './view.ts';

export function readRetrying(view: CodexView): Activity | undefined {
  return view.turn.status !== undefined && TEXTS.reconnecting.test(view.turn.status) && isBusy(view)
    ? { kind: 'processing', detail: 'retrying' }
    : undefined;
}

export function readCompacting(view: CodexView): Activity | undefined {
  return view.turn.status !== undefined && TEXTS.compacting.test(view.turn.status) && isBusy(view)
    ? { kind: 'processing', detail: 'compacting' }
    : undefined;
}

/** The title shows work also while text arrives, when nothing on the screen does (53 of 53 captures of 0.166.0). */
export function readTitleBusy({ frame }: CodexView): Activity | undefined {
  return frame.title?.state === 'working' ? { kind: 'processing' } : undefined;
}

export function readStatusLine(view: CodexView): Activity | undefined {
  return view.turn.status !== undefined && isBusy(view) ? { kind: 'processing' } : undefined;
}

/** Without a title: a reply without a closing line below it is still being written. */
export function readStreaming(view: CodexView): Activity | undefined {
  return hasBox(view) && view.frame.title === undefined && view.turn.end.kind === 'reply' ? { kind: 'processing' } : undefined;
}

/** A reply may end with the exact text of a status line; the title never does. */
const isBusy = (view: CodexView): boolean => hasBox(view) && view.frame.title?.state !== 'ready';
