import { cutToWidth } from '../../../base/text-width.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import { splitAddress } from '../../../workflow/model/address.ts';
import type { ItemView } from '../../../workflow/view/stage-view.ts';

/** `3/6`: how many of the items are done. */
export function describeDone(items: readonly ItemView[]): string {
  return items.length === 0 ? '' : `${withState(items, 'done').length}/${items.length}`;
}

/** What is under way in each item, then how many wait, and which ones were lost. */
export function itemRemarks(items: readonly ItemView[]): readonly string[] {
  const waiting = withState(items, 'waiting').length;
  const marked = withState(items, 'done').filter(({ marks }) => marks.length > 0);
  return [
    ...withState(items, 'under_way').flatMap(openRemarks),
    ...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'waits' : 'wait'}`]),
    ...marked.map(({ key, marks }) => `${key} ${marks.join(', ')}`),
    ...(['failed', 'skipped'] as const).flatMap((state) => lostRemarks(state, withState(items, state))),
  ];
}

/** A line of a terminal; --json has all of them. */
const MOST_NAMED = 5;

/** Columns; `llmc report` has the whole reason. */
const LONGEST_WHY = 70;

/** Items that were lost for the same reason stand together. */
function lostRemarks(state: 'failed' | 'skipped', items: readonly ItemView[]): readonly string[] {
  return [...Map.groupBy(items, ({ why }) => why)].map(([why, same]) => {
    const more = same.length > MOST_NAMED ? ` and ${same.length - MOST_NAMED} more` : '';
    const names = same.slice(0, MOST_NAMED).map(({ key }) => key);
    return `${names.join(', ')}${more} ${state}${why === null ? '' : ` (${cutToWidth(visibleLine(why), LONGEST_WHY)})`}`;
  });
}

function openRemarks({ key, stages }: ItemView): readonly string[] {
  const open = stages.filter(({ state }) => !['waiting', 'done', 'skipped', 'failed'].includes(state));
  return open.map(({ id, session, waiting_for }) => {
    const what = waiting_for === null ? '' : `: ${waiting_for}`;
    return `${key} ▸ ${splitAddress(id).stage}${session}${what}`;
  });
}

function withState(items: readonly ItemView[], state: ItemView['state']): readonly ItemView[] {
  return items.filter((item) => item.state === state);
}
