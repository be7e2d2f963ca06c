import type { Begun } from './effect.ts';
import { workerKey } from './item.ts';
import type { View } from './view.ts';

type MarkSeen = Extract<Begun, { kind: 'mark-seen' }>;

/** A report that failed is repeated after this time: what hindered it, such as a lock, may last. */
const AGAIN_MS = 10_000;

/** Whether the work was reported as seen, or may not be reported again yet. */
export function isReported({ reported, now }: View, effect: MarkSeen): boolean {
  return now < (reported.get(toKey(effect)) ?? 0);
}

export function withReport(view: View, effect: MarkSeen): View {
  return until(view, effect, Number.POSITIVE_INFINITY);
}

/** After a failure. Nobody asked for the report, and an accept checks the work again: a notice would only disturb. */
export function withFailedReport(view: View, effect: MarkSeen): View {
  return until(view, effect, view.now + AGAIN_MS);
}

function until(view: View, effect: MarkSeen, time: number): View {
  return { ...view, reported: new Map([...view.reported, [toKey(effect), time]]) };
}

const toKey = ({ root, worker, seen }: MarkSeen): string => `${workerKey(root, worker)} ${seen.head}`;
