import type { Activity } from '../../activity.ts';
import type { Asked } from './asking.ts';
import type { ThreadStatus } from './messages.ts';

/** The state of an agent besides its events. */
export interface ThreadState {
  readonly status: ThreadStatus;
  readonly asked: readonly Asked[];
  /** The failure of the last turn, if it failed. */
  readonly lastTurn: 'fine' | 'interrupted' | Activity;
  readonly detail: 'retrying' | 'compacting' | undefined;
}

/** The server's own status of a conversation, and its open questions. */
export function toCodexActivity({ status, asked, lastTurn, detail }: ThreadState): Activity {
  switch (status.type) {
    case 'active':
      // The server reports that it waits shortly before it reports for what.
      return asked[0]?.activity ?? (detail === undefined ? { kind: 'processing' } : { kind: 'processing', detail });
    case 'idle':
      return lastTurn === 'interrupted' ? { kind: 'ready', interrupted: true } : { kind: 'ready' };
    case 'systemError':
      // The server reports the error shortly before its cause.
      return typeof lastTurn === 'object' ? lastTurn : { kind: 'unknown' };
    default:
      return { kind: 'unknown' };
  }
}
