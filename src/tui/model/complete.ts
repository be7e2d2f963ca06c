import { visibleLine } from '../../base/visible-text.ts';
import { type Event, quiet, type Updated } from './event.ts';
import type { Completion, Mode, View } from './view.ts';

type Typing = Extract<Mode, { kind: 'typing' }>;

/** Tab in the command line: the next or the previous offer, or a question for offers. */
export function completeKey(view: View, mode: Typing, by: 1 | -1): Updated {
  const { completion, field } = mode;
  if (completion === undefined) return { view, effects: [{ kind: 'complete', root: view.root, line: field.text.slice(0, field.cursor) }] };
  const count = completion.offers.length;
  return quiet(put(view, mode, { ...completion, at: (Math.max(completion.at, by === 1 ? -1 : 0) + by + count) % count }));
}

/** The offers have come. What was typed meanwhile is not replaced. */
export function completed(view: View, { root, line, offers }: Extract<Event, { kind: 'completed' }>): View {
  const { mode } = view;
  // The workers and runs of another root.
  if (root !== view.root) return view;
  if (mode.kind !== 'typing' || mode.asked.kind !== 'command' || mode.field.text.slice(0, mode.field.cursor) !== line) return view;
  const from = line.length - (/\S*$/.exec(line)?.[0].length ?? 0);
  if (offers.length === 0) return { ...view, notice: { tone: 'plain', text: 'Nothing completes this.' } };
  return put(view, mode, { from, offers, at: offers.length === 1 ? 0 : -1 });
}

function put(view: View, mode: Typing, completion: Completion): View {
  const { from, offers, at } = completion;
  const rest = mode.field.text.slice(mode.field.cursor);
  const only = offers.length === 1;
  const word = at === -1 ? commonStart(offers) : `${offers[at]}${only && !offers[at]?.endsWith('/') ? ' ' : ''}`;
  const text = `${mode.field.text.slice(0, from)}${word}`;
  const notice = only ? undefined : { tone: 'plain' as const, text: visibleLine(listed(offers, at)) };
  const { completion: _, ...typing } = mode;
  return { ...view, mode: { ...typing, field: { text: text + rest, cursor: text.length }, ...(!only && { completion }) }, notice };
}

const listed = (offers: readonly string[], at: number): string =>
  offers.map((offer, index) => (index === at ? `[${offer}]` : offer)).join('  ');

function commonStart(offers: readonly string[]): string {
  const [first = ''] = offers;
  const differs = Array.from(first).findIndex((_, at) => offers.some((offer) => offer[at] !== first[at]));
  return differs === -1 ? first : first.slice(0, differs);
}
