import type { Activity } from '../../src/agents/activity.ts';

/** The name of the folder for recorded screens of this activity. */
export function folderOf(activity: Activity): string {
  const { kind } = activity;
  switch (kind) {
    case 'ready':
      return activity.interrupted ? 'ready-interrupted' : kind;
    case 'processing':
      return activity.detail === undefined ? kind : `${kind}-${activity.detail}`;
    case 'awaiting_question':
      return `${kind}-${activity.questionType}`;
    case 'awaiting_permission':
      return `${kind}-${activity.tool}`;
    case 'waiting_limit':
      return `${kind}-${activity.continuesByItself ? 'continues' : 'stays'}`;
    case 'error':
      return `${kind}-${activity.type}`;
    case 'exited':
      return `${kind}-${activity.how}`;
    default:
      return kind;
  }
}
