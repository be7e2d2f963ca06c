import { isDeepStrictEqual } from 'node:util';
import type { StatusReport, WorkerReport } from '../report/status-report.ts';

/** What turns one report into the next one: only the fields that differ. */
export interface StatusChanges {
  /** Changed fields of the report itself. */
  readonly report?: Partial<Omit<StatusReport, 'workers'>>;
  readonly added?: readonly WorkerReport[];
  readonly changed?: readonly (Pick<WorkerReport, 'name'> & Partial<WorkerReport>)[];
  /** The names of all workers in their order, if a worker came, went or was renamed. */
  readonly names?: readonly string[];
}

/** A line that the supervisor sends to a follower. */
export type FollowEvent =
  | { readonly report: StatusReport }
  | { readonly changes: StatusChanges }
  /** Nothing has changed for a while. Without it, a supervisor that was stopped would look like one with nothing to report. */
  | { readonly alive: true }
  /** The supervisor is about to end, in words. */
  | { readonly stopping: string };

/** The later value, with every field of the earlier one that is equal, so that a difference is found by identity. */
function shared<T extends object>(before: T, after: T): T {
  const kept = { ...after };
  let same = true;
  for (const key in after) {
    if (isDeepStrictEqual(before[key], after[key])) kept[key] = before[key];
    else same = false;
  }
  return same ? before : kept;
}

/** The later report, with every worker and field of the earlier one that is equal. */
export function sharedReport(before: StatusReport, after: StatusReport): StatusReport {
  const known = byName(before.workers);
  const workers = after.workers.map((worker) => {
    const earlier = known.get(worker.name);
    return earlier === undefined || earlier === worker ? worker : shared(earlier, worker);
  });
  return shared(before, { ...after, workers: isSame(before.workers, workers) ? before.workers : workers });
}

/** Undefined if nothing differs. Both reports come from `sharedReport`, so that equal parts are identical. */
export function changesBetween(before: StatusReport, after: StatusReport): StatusChanges | undefined {
  if (before === after) return undefined;
  const known = byName(before.workers);
  const added = after.workers.filter(({ name }) => !known.has(name));
  const changed = after.workers.flatMap((worker) => {
    const earlier = known.get(worker.name);
    return earlier === undefined || earlier === worker ? [] : [{ ...changedFields(earlier, worker), name: worker.name }];
  });
  const names = after.workers.map(({ name }) => name);
  const report = changedFields(toHead(before), toHead(after));
  const changes: StatusChanges = {
    ...(Object.keys(report).length > 0 && { report }),
    ...(added.length > 0 && { added }),
    ...(changed.length > 0 && { changed }),
    ...(!isSame([...known.keys()], names) && { names }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** The report after the changes. Workers that did not change are the same objects as before. */
export function withChanges(before: StatusReport, { report = {}, added = [], changed = [], names }: StatusChanges): StatusReport {
  if (added.length === 0 && changed.length === 0 && names === undefined) return { ...before, ...report };
  const workers = byName([...before.workers, ...added]);
  for (const change of changed) {
    const worker = workers.get(change.name);
    if (worker !== undefined) workers.set(change.name, { ...worker, ...change });
  }
  const order = names ?? [...workers.keys()];
  return { ...before, ...report, workers: order.flatMap((name) => workers.get(name) ?? []) };
}

function toHead({ workers: _, ...head }: StatusReport): Omit<StatusReport, 'workers'> {
  return head;
}

function changedFields<T extends object>(before: T, after: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const key in after) if (before[key] !== after[key]) changed[key] = after[key];
  return changed;
}

function byName(workers: readonly WorkerReport[]): Map<string, WorkerReport> {
  return new Map(workers.map((worker) => [worker.name, worker]));
}

function isSame(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((each, index) => each === after[index]);
}
