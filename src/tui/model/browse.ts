import { acceptSelected, attachSelected, choose, dismissSelected, editCommitMessage, rejectSelected, replyToSelected } from './actions.ts';
import { unstored } from './drafts.ts';
import { describeEffect } from './effect.ts';
import { quiet, type Updated } from './event.ts';
import { countPageLines, scrollPane } from './pane.ts';
import { openRoots, turnTogether } from './roots.ts';
import { beginEffect } from './running.ts';
import { moveSelection } from './select.ts';
import { beginTyping } from './typing.ts';
import { TABS, type Tab, UNREAD_QUEUE, type View } from './view.ts';

type Answer = (view: View) => Updated;

const only =
  (change: (view: View) => View): Answer =>
  (view) =>
    quiet(change(view));

const FAR = 1_000_000;

/** The keys that move: in the list, or in the pane if that has the focus. */
const step = (by: number): Answer => only((view) => (view.focus === 'list' ? moveSelection(view, by) : scrollPane(view, by)));

/** What the keys do while nothing is typed. */
const KEYS: Readonly<Record<string, Answer>> = {
  ...both(['j', 'down'], step(1)),
  ...both(['k', 'up'], step(-1)),
  ...both(['home', 'g'], step(-FAR)),
  ...both(['end', 'G'], step(FAR)),
  ...both(
    ['l', 'right'],
    only((view) => ({ ...view, focus: 'pane' })),
  ),
  ...both(
    ['h', 'left'],
    only((view) => ({ ...view, focus: 'list', zoomed: false })),
  ),
  ...both(
    ['tab', ']'],
    only((view) => turnTab(view, 1)),
  ),
  ...both(
    ['shift+tab', '['],
    only((view) => turnTab(view, -1)),
  ),
  ...both(
    ['J', 'ctrl+d', 'page-down'],
    only((view) => scrollPane(view, countPageLines(view))),
  ),
  ...both(
    ['K', 'ctrl+u', 'page-up'],
    only((view) => scrollPane(view, -countPageLines(view))),
  ),
  n: only((view) => beginTyping(view, { kind: 'task' }, view.task)),
  '/': only((view) => beginTyping(view, { kind: view.focus === 'pane' && view.pane !== undefined ? 'find' : 'filter' })),
  z: only((view) => ({ ...view, zoomed: !view.zoomed, focus: 'pane' })),
  S: only((view) => beginTyping(view, { kind: 'search' })),
  ':': only((view) => beginTyping(view, { kind: 'command' })),
  a: acceptSelected,
  r: rejectSelected,
  m: (view) => replyToSelected(view, false),
  ' ': (view) => replyToSelected(view, true),
  d: dismissSelected,
  u: (view) => beginEffect(view, { kind: 'plan-undo', worker: undefined }),
  q: (view) => beginEffect({ ...view, mode: UNREAD_QUEUE }, { kind: 'list-queue' }),
  R: (view) => openRoots(view),
  A: turnTogether,
  $: only((view) => ({ ...view, mode: { kind: 'costs', top: 0 } })),
  M: (view) => beginEffect({ ...view, mouse: !view.mouse }, { kind: 'mouse', isOn: !view.mouse }),
  enter: attachSelected,
  '?': only((view) => ({ ...view, mode: { kind: 'help', top: 0 } })),
  ...both(['Q', 'ctrl+c'], quit),
  'ctrl+z': (view) => beginEffect(view, { kind: 'suspend' }),
  e: (view) =>
    view.tab === 'diff' ? editCommitMessage(view) : quiet(view.tab === 'why' ? { ...view, withEvidence: !view.withEvidence } : view),
  'ctrl+l': only((view) => ({ ...view, reloads: view.reloads + 1 })),
  escape: only(back),
};

export function browseKey(view: View, key: string): Updated {
  const fresh = { ...view, notice: undefined };
  if (/^[1-9]$/.test(key)) return choose(fresh, Number(key));
  const answer = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  return answer === undefined ? quiet(view) : answer(fresh);
}

function both(keys: readonly string[], answer: Answer): Readonly<Record<string, Answer>> {
  return Object.fromEntries(keys.map((key) => [key, answer]));
}

/** The view asks first if something is under way, which ends with the view, or if a draft is not stored. */
function quit(view: View): Updated {
  const [first] = view.running;
  const lost = unstored(view);
  if (first === undefined && lost === undefined) return beginEffect(view, { kind: 'quit' });
  const canceled = first && `${describeEffect(first.effect) ?? 'Something'} is under way and would be canceled.`;
  const question = [lost, canceled, 'Leave?'].filter((part) => part !== undefined).join(' ');
  return quiet({ ...view, mode: { kind: 'confirm', question, effect: { kind: 'quit' }, below: view.mode } });
}

function turnTab(view: View, by: number): View {
  return openTab(view, TABS[(TABS.indexOf(view.tab) + by + TABS.length) % TABS.length] ?? 'screen');
}

export function openTab(view: View, tab: Tab): View {
  return tab === view.tab ? view : { ...view, tab, pane: undefined };
}

/** One step back: out of the zoom, out of the pane, then out of the filter. */
function back(view: View): View {
  if (view.zoomed) return { ...view, zoomed: false };
  if (view.focus === 'pane') return { ...view, focus: 'list' };
  return view.filter === '' ? view : { ...view, filter: '' };
}
