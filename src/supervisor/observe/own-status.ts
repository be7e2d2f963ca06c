import type { Activity } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import type { OwnStatus, Watch } from './watch.ts';

/** Stores the CLI's own state, from its status file (`file` keeps what was read) or from its protocol. */
export function noteOwnStatus(watch: Watch, activity: Activity | undefined, now: Instant, file?: OwnStatus['file']): void {
  const { live } = watch.status;
  // A retry, or one dialog after another, is still the same kind of activity and keeps its start time.
  const since = live !== undefined && live.activity.kind === activity?.kind ? live.since : now;
  watch.status = { file, live: activity && { activity, since } };
}
