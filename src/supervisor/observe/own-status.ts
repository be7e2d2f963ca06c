import type { Activity } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import type { OwnStatus, Watch } from './watch.ts';

/** What the CLI says of itself, by its status file (`file` keeps what was read) or over its protocol. */
export function noteOwnStatus(watch: Watch, activity: Activity | undefined, now: Instant, file?: OwnStatus['file']): void {
  const { live } = watch.status;
  // A retry, or one dialog after another, is still the same kind of thing and has lasted as long.
  const since = live !== undefined && live.activity.kind === activity?.kind ? live.since : now;
  watch.status = { file, live: activity && { activity, since } };
}
