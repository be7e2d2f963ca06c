import type { Activity } from '../../activity.ts';
import type { Asked } from './asking.ts';
import type { ThreadStatus } from './messages.ts';

/** What is known about an agent right now, besides what it reports as events. */
export interface Doing {
  readonly status: ThreadStatus;
  readonly asked: readonly Asked[];
  /** What the last turn left behind, if it did not end well. */
  readonly lastTurn: 'fine' | 'interrupted' | Activity;
  readonly detail: 'retrying' | 'compacting' | undefined;
}

/** The server's own word for a conversation, and what it asks. */
export function activityOf({ status, asked, lastTurn, detail }: Doing): Activity {
  switch (status.type) {
    case 'active':
      // It says that it waits a moment before it says what for.
      return asked[0]?.activity ?? (detail === undefined ? { kind: 'processing' } : { kind: 'processing', detail });
    case 'idle':
      return lastTurn === 'interrupted' ? { kind: 'ready', interrupted: true } : { kind: 'ready' };
    case 'systemError':
      // It says so a moment before it says what happened.
      return typeof lastTurn === 'object' ? lastTurn : { kind: 'unknown' };
    default:
      return { kind: 'unknown' };
  }
}
