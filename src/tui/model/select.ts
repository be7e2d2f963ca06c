import { endedWithoutResult } from '../../supervisor/report/worker-words.ts';
import { EMPTY_FIELD } from '../screen/text-field.ts';
import { type ListItem, listRowItems, needsYou } from './item.ts';
import { rowsIn, selectedIn, type Tab, type View } from './view.ts';

/** Selects what a person chose, and brings the tab to the front that shows what it needs. */
export function select(view: View, item: ListItem | undefined): View {
  if (item?.key === view.selected) return { ...view, wentOn: undefined };
  return {
    ...view,
    selected: item?.key,
    wentOn: undefined,
    tab: tabFor(item, view.tab),
    pane: undefined,
    focus: view.zoomed ? 'pane' : 'list',
  };
}

/** Selects what no person chose: they may press a key before they see it. */
function goOn(view: View, item: ListItem | undefined): View {
  return { ...select(view, item), wentOn: { shownAt: undefined } };
}

/** Work to review shows its diff, a worker that asks shows its screen. Otherwise the tab stays. */
function tabFor(item: ListItem | undefined, now: Tab): Tab {
  if (item?.kind !== 'worker') return now;
  if (item.group === 'to review') return 'diff';
  if (item.group === 'asks') return 'screen';
  if (endedWithoutResult(item.worker)) return 'diff';
  if (item.group === 'failed' || item.group === 'needs you') return 'why';
  return now === 'why' ? 'screen' : now;
}

/** The item so many lines further; stops at the ends. */
export function moveSelection(view: View, by: number): View {
  const items = listRowItems(rowsIn(view));
  const at = items.findIndex(({ key }) => key === view.selected);
  return select(view, items[Math.max(0, Math.min(items.length - 1, at + by))]);
}

/** The next item that needs a person, from the selected one on; without any, nothing moves. */
export function nextUrgent(view: View, leaveOut: readonly string[]): View {
  const items = listRowItems(rowsIn(view));
  const at = items.findIndex(({ key }) => key === view.selected);
  const around = [...items.slice(at + 1), ...items.slice(0, Math.max(0, at))];
  const next = around.find((item) => needsYou(item) && !leaveOut.includes(item.key));
  return next === undefined ? view : goOn(view, next);
}

/** After the list changed: the same item, or the one in its place. On start, the first. */
export function keepSelection(before: View, after: View): View {
  const items = listRowItems(rowsIn(after));
  if (items.some(({ key }) => key === after.selected)) return after;
  const at = listRowItems(rowsIn(before)).findIndex(({ key }) => key === before.selected);
  return goOn(after, items[Math.max(0, Math.min(at, items.length - 1))]);
}

/** Selects the first item, unless a person has selected one. */
export function goToFirst(view: View): View {
  const [first] = listRowItems(rowsIn(view));
  return view.wentOn === undefined || view.mode.kind !== 'browse' || first?.key === view.selected ? view : goOn(view, first);
}

/** From now on the keys act in this root, whose task line has its own text. Alone, it takes the place of the one that was shown. */
export function inRoot(view: View, root: string): View {
  if (root === view.root) return view;
  const tasks = new Map([...view.tasks, [view.root, { field: view.task, like: view.like }]]);
  const { field, like } = tasks.get(root) ?? { field: EMPTY_FIELD, like: {} };
  const there: View = { ...view, root, task: field, like, tasks, choices: undefined };
  return view.isTogether ? there : goOn(there, listRowItems(rowsIn(there))[0]);
}

/** The keys act in the root of the selected item. What is typed or asked is about the root in which it began. */
export function inRootOfSelected(view: View): View {
  return view.mode.kind === 'browse' ? inRoot(view, selectedIn(view)?.root ?? view.root) : view;
}
