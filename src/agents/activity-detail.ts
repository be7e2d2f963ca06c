import type { Activity } from './activity.ts';

/** The detail of an activity, such as its tool or reset time; null if it has none. */
export function findDetail(activity: Activity): string | null {
  switch (activity.kind) {
    case 'processing':
      return activity.detail ?? null;
    case 'awaiting_permission':
      return activity.tool;
    case 'awaiting_question':
      return activity.questionType;
    case 'waiting_limit':
      return activity.resetsAt === null ? null : new Date(activity.resetsAt).toISOString();
    case 'error':
      return activity.type;
    case 'exited':
      return activity.how;
    case 'ready':
      return activity.interrupted === true ? 'interrupted' : null;
    case 'starting':
    case 'unknown':
      return null;
  }
}
