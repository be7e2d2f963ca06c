import type { Instant } from '../../base/ports.ts';
import type { Task } from '../model/action.ts';
import type { DueTask } from '../store/ports.ts';
import { LEASE_MS } from './carry-out.ts';
import type { Performance } from './performance.ts';

/** Tasks that are performed at a time. Each waits for git, tmux and the disk most of its time. */
const MOST_AT_ONCE = 8;
/**
 * Kinds with places of their own, so that agents need not wait for them: shell lines may take hours, and the removal of the worktrees of an
 * ended run minutes.
 */
const OWN_PLACES: Readonly<Partial<Record<Task['kind'], number>>> = { check: 4, dismiss: 2 };

type Performing = Pick<Performance, 'claim' | 'since'>;

/** How many more tasks can begin. One that lasts longer than a lease gives its place back. */
export function freePlaces(performing: readonly Performing[], now: Instant): number {
  const quick = performing.filter(({ claim, since }) => OWN_PLACES[claim.action.task.kind] === undefined && now - since < LEASE_MS);
  return MOST_AT_ONCE - quick.length;
}

/** The tasks whose kind has all of its own places in use, the newest. */
export function withoutPlace(open: readonly DueTask[], performing: readonly Performing[]): readonly DueTask[] {
  return Object.entries(OWN_PLACES).flatMap(([kind, places]) => {
    const used = performing.filter(({ claim }) => claim.action.task.kind === kind).length;
    return open.filter(({ action }) => action.task.kind === kind).slice(Math.max(0, places - used));
  });
}
