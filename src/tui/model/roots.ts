import { showLost } from './drafts.ts';
import type { Effect } from './effect.ts';
import { type Event, quiet, type Updated } from './event.ts';
import { listItemRows, listRowItems, needsYou, type RootInView } from './item.ts';
import { beginEffect } from './running.ts';
import { goToFirst, inRoot, keepSelection } from './select.ts';
import { type Mode, rootIn, shownRoots, unreadRoot, type View } from './view.ts';

type Roots = Extract<Mode, { kind: 'roots' }>;
type About<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>;

/** The roots that are followed: those that are shown, and all of them in their list. */
export function followedIn(view: View): readonly RootInView[] {
  return view.mode.kind === 'roots' ? view.roots : shownRoots(view);
}

/** What a root says changes only its own part. */
export function withRoot(view: View, event: About<'status' | 'runs' | 'lost'>): View {
  const roots = view.roots.map((root) => (root.root === event.root ? changed(root, event) : root));
  const after = keepSelection(view, { ...view, roots });
  // On start the roots report one after the other.
  const isNew = event.kind === 'status' && view.roots.some(({ root, report }) => root === event.root && report === undefined);
  return isNew ? goToFirst(after) : after;
}

function changed(root: RootInView, event: About<'status' | 'runs' | 'lost'>): RootInView {
  switch (event.kind) {
    case 'status':
      return { ...root, report: event.report, lost: event.report.supervisor.running ? undefined : root.lost };
    case 'runs':
      return { ...root, runs: event.runs };
    case 'lost':
      return { ...root, lost: event.why };
  }
}

/** The roots as they are on disk. What is known of them stays, and the one that the keys act in too. */
export function withKnown(view: View, { roots: named }: About<'known'>): View {
  const found = named.map((each) => ({ ...(view.roots.find(({ root }) => root === each.root) ?? unreadRoot(each)), name: each.name }));
  const own = found.some(({ root }) => root === view.root) ? undefined : rootIn(view);
  const roots = own === undefined ? found : [own, ...found];
  const known = keepSelection(view, { ...view, roots });
  if (roots.length > 1) return known;
  if (!view.isTogether) return known;
  const text = 'This is your only repository. llmc, typed in another one, sets it up.';
  return { ...known, isTogether: false, notice: { tone: 'plain', text } };
}

/** The others go on without it. */
export function withoutRoot(view: View, { root: gone }: About<'gone'>): View {
  const roots = view.roots.filter(({ root }) => root !== gone);
  const name = view.roots.find(({ root }) => root === gone)?.name ?? gone;
  const rest = { ...view, roots, notice: { tone: 'bad', text: `The root of ${name} is gone: ${gone}`, hint: 'llmc roots' } } as const;
  const kept = keepSelection(view, rest);
  const [first] = roots;
  const lost = typedIn(view, gone);
  const there = first === undefined || gone !== view.root ? kept : inRoot({ ...kept, mode: { kind: 'browse' } }, first.root);
  return lost === '' ? there : showLost(there, rest.notice.text, lost);
}

/** What was typed for a root and not sent: in the field that is open, and in its task line. */
function typedIn({ mode, root: current, task, tasks }: View, root: string): string {
  const kept = root === current ? task.text : (tasks.get(root)?.field.text ?? '');
  if (root !== current || mode.kind !== 'typing' || ['filter', 'find'].includes(mode.asked.kind)) return kept;
  // An open task line has the newer text of the two.
  return mode.asked.kind === 'task' || kept === '' ? mode.field.text : `${mode.field.text}\n\n${kept}`;
}

/** How many things in a root wait for the person. */
export function waitingIn(root: RootInView): number {
  return listRowItems(listItemRows([root], '')).filter(needsYou).length;
}

function listing({ roots }: View): Effect {
  return { kind: 'list-roots', known: roots.map(({ root }) => root) };
}

export function openRoots(view: View): Updated {
  return beginEffect({ ...view, mode: { kind: 'roots', marked: view.isTogether ? undefined : view.root } }, listing(view));
}

/** All roots in one list; again: only the root of the selected item. */
export function turnTogether(view: View): Updated {
  const turned = keepSelection(view, { ...view, isTogether: !view.isTogether });
  return view.isTogether ? quiet(turned) : beginEffect(turned, listing(view));
}

/** The rows of the list of roots, and which one is marked. Undefined: all together. */
export function listedRoots(roots: readonly RootInView[], marked: string | undefined) {
  const rows = roots.length > 1 ? [undefined, ...roots] : roots;
  const found = rows.findIndex((row) => row?.root === marked);
  return { rows, at: Math.max(0, found) };
}

export function rootsKey(before: View, mode: Roots, key: string): Updated {
  const view: View = { ...before, notice: undefined };
  const { rows, at } = listedRoots(view.roots, mode.marked);
  const row = rows[at];
  const go = (by: number) => quiet({ ...view, mode: { ...mode, marked: rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.root } });
  const browsing: View = { ...view, mode: { kind: 'browse' } };
  switch (key) {
    case 'j':
    case 'down':
    case 'wheel-down':
      return go(1);
    case 'k':
    case 'up':
    case 'wheel-up':
      return go(-1);
    case 'enter':
    case 'l':
    case 'right':
      return quiet(row === undefined ? keepSelection(view, { ...browsing, isTogether: true }) : showRoot(browsing, row.root));
    case 'A':
      return turnTogether({ ...browsing, isTogether: false });
    case 's':
      return row === undefined ? quiet(view) : beginEffect(view, { kind: 'start-root', root: row.root });
    case 'escape':
    case 'q':
    case 'R':
    case 'ctrl+c':
      return quiet(browsing);
    default:
      return quiet(view);
  }
}

/** Shows this root alone. A filter was about what was shown before. */
function showRoot(view: View, root: string): View {
  return inRoot(keepSelection(view, { ...view, isTogether: false, filter: root === view.root ? view.filter : '' }), root);
}
