import type { DiffView } from '../diff/diff-view.ts';
import { type Effect, labelOf, subjectOf } from './effect.ts';
import { type Event, quiet, type Updated } from './event.ts';
import { workerKey } from './item.ts';
import { withFailedReport } from './seen-report.ts';
import { reopenTyped } from './typing.ts';
import type { View } from './view.ts';

/** Begins an effect, unless one on the same worker, question or task is under way. */
export function begin(view: View, effect: Effect, lands?: DiffView): Updated {
  const refused = underWay(view, subjectOf(effect));
  if (refused !== undefined) return quiet(refused);
  const isShort = labelOf(effect) === undefined;
  return { view: isShort ? view : { ...view, running: [...view.running, { effect, line: undefined, lands }] }, effects: [effect] };
}

/** The view that says what is under way for this subject; undefined if nothing is. */
export function underWay(view: View, subject: string | undefined): View | undefined {
  const other = subject === undefined ? undefined : view.running.find(({ effect }) => subjectOf(effect) === subject);
  if (other === undefined) return undefined;
  return { ...view, notice: { tone: 'bad', text: `${labelOf(other.effect) ?? 'Something'} is not over yet. Wait for it.` } };
}

/** The subjects of what is under way. */
export function busy({ running }: View): readonly string[] {
  return running.flatMap(({ effect }) => subjectOf(effect) ?? []);
}

export function progressed(view: View, { effect, line }: Extract<Event, { kind: 'progress' }>): View {
  return { ...view, running: view.running.map((each) => (each.effect === effect ? { ...each, line } : each)) };
}

export function done(view: View, { effect, notice, opens }: Extract<Event, { kind: 'done' }>): View {
  const rest = sent(view, effect);
  if (opens === undefined) return { ...rest, notice: notice ?? view.notice };
  if (view.mode.kind === 'browse') return { ...rest, mode: opens, notice };
  // What a person types meanwhile is not interrupted.
  if (notice !== undefined) return { ...rest, notice };
  const text = `${labelOf(effect) ?? 'A command'} is over; what it says was not shown over your text. Do it again to see it.`;
  return { ...rest, notice: { tone: 'plain', text } };
}

export function failed(view: View, { effect, notice, isOutdated, isRecorded }: Extract<Event, { kind: 'failed' }>): View {
  if (effect.kind === 'mark-seen') return withFailedReport(view, effect);
  // A text that is in its field again would be sent twice.
  const rest = isRecorded === true ? { ...sent(view, effect), notice } : reopenTyped({ ...without(view, effect), notice }, effect);
  return isOutdated ? { ...rest, reloads: rest.reloads + 1 } : rest;
}

function without(view: View, effect: Effect): View {
  return { ...view, running: view.running.filter((each) => each.effect !== effect) };
}

/** What was sent is not sent again. */
function sent(view: View, effect: Effect): View {
  return effect.kind === 'reject' ? withoutComments(without(view, effect), workerKey(effect.worker)) : without(view, effect);
}

function withoutComments(view: View, of: string): View {
  const { pane } = view;
  const commented = new Map([...view.commented].filter(([key]) => key !== of));
  if (pane?.of !== of || pane.content.kind !== 'diff') return { ...view, commented };
  return { ...view, commented, pane: { ...pane, content: { ...pane.content, diff: { ...pane.content.diff, comments: [] } } } };
}
