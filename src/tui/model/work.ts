import { withComment } from '../diff/comments/notes.ts';
import { type DiffView, openDiff } from '../diff/diff-view.ts';
import { refreshDiff } from '../diff/refresh.ts';
import { withSeen } from '../diff/seen.ts';
import { type DiffUpdate, updateDiff } from '../diff/update-diff.ts';
import type { Pressed } from '../screen/key.ts';
import { makeField } from '../screen/text-field.ts';
import { keepComments, leftWords, withDrafts, withLeftWords, withoutAsked } from './drafts.ts';
import { showsSameWork } from './effect.ts';
import { type Event, quiet, type Updated } from './event.ts';
import { parseWorkerKey, workerKey } from './item.ts';
import { isItemVisible, isPaneVisible, landingIn, paneSize } from './pane.ts';
import { beginTyping } from './typing.ts';
import { type TypingPurpose, type View, workIn } from './view.ts';

/** Keys that mean something else in the list: they reach the diff only if the pane has the focus. */
const OF_LIST: readonly string[] = ['j', 'k', 'up', 'down', 'left', 'right', 'home', 'end', 'g', 'G', 'enter', 'escape', 'l', 'h'];

/** What arrives late, for another item or another tab, is dropped. */
export function withPane(view: View, { of, tab, content }: Extract<Event, { kind: 'pane' }>): View {
  if (view.selected !== of || view.tab !== tab) return view;
  const before = view.pane?.of === of && view.pane.tab === tab ? view.pane : undefined;
  if (content.kind === 'loading' && before !== undefined) return view;
  const landing = content.kind === 'loading' ? landingIn(view) : undefined;
  if (landing?.lands !== undefined && landing.effect.kind === 'accept') {
    const work = { kind: 'diff', diff: landing.lands, seen: landing.effect.seen } as const;
    return { ...view, pane: { of, tab, content: work, top: 0, atEnd: false, shownAt: undefined } };
  }
  const isLoaded = before !== undefined && before.content.kind !== 'loading';
  const atEnd = isLoaded ? before.atEnd : content.kind === 'text' && content.fromEnd === true;
  return { ...view, pane: { of, tab, content, top: before?.top ?? 0, atEnd, shownAt: before?.shownAt } };
}

/** The work of the selected worker. Place and comments stay; other work than before has not been on the screen yet. */
export function withWork(view: View, { of, shown: work, seen, drafts }: Extract<Event, { kind: 'work' }>): View {
  if (view.selected !== of || view.tab !== 'diff') return view;
  const before = view.pane?.of === of && view.pane.content.kind === 'diff' ? view.pane : undefined;
  const old = before?.content.kind === 'diff' ? before.content : undefined;
  const known = old?.diff ?? view.commented.get(of);
  const opened = known === undefined ? openDiff(work) : refreshDiff(known, work);
  const whose = parseWorkerKey(of);
  const diff = drafts === undefined || whose === undefined ? opened : withDrafts(view, whose, opened, drafts);
  const isSame = seen !== undefined && old?.seen !== undefined && showsSameWork(old.seen, seen);
  return {
    ...remembering(view, of, diff),
    pane: { of, tab: 'diff', content: { kind: 'diff', diff, seen }, top: 0, atEnd: false, shownAt: isSame ? before?.shownAt : undefined },
  };
}

/** What the view selected by itself and the pane are on the screen, unless something covers them. */
export function markShown(before: View): View {
  const { pane, wentOn, now } = before;
  const isNew = wentOn !== undefined && wentOn.shownAt === undefined && isItemVisible(before);
  const view = isNew ? { ...before, wentOn: { shownAt: now } } : before;
  if (!isPaneVisible(view) || pane === undefined || pane.shownAt !== undefined || pane.content.kind === 'loading') return view;
  if (pane.content.kind !== 'diff') return { ...view, pane: { ...pane, shownAt: view.now } };
  return withDiff({ ...view, pane: { ...pane, shownAt: view.now } }, pane.of, withSeen(pane.content.diff, paneSize(view)));
}

/** A key of the diff; undefined if it means nothing there. */
export function diffKey(view: View, pressed: Pressed): Updated | undefined {
  const { pane, focus } = view;
  if (pane === undefined || pane.of !== view.selected || pane.content.kind !== 'diff') return undefined;
  if (pressed.kind === 'key' && focus === 'list' && OF_LIST.includes(pressed.key)) return undefined;
  const { diff } = pane.content;
  const changed = updateDiff(diff, pressed, paneSize(view));
  return changed.diff === diff && changed.wish === undefined ? undefined : granted(view, pane.of, changed);
}

export function diffMouse(
  view: View,
  action: 'press' | 'wheel-up' | 'wheel-down',
  at: { column: number; row: number },
): Updated | undefined {
  return diffKey(view, { kind: 'mouse', action, column: at.column, row: at.row });
}

function granted(view: View, of: string, { diff, wish }: DiffUpdate): Updated {
  const fresh: View = { ...view, notice: undefined };
  const worker = parseWorkerKey(of)?.worker;
  if (wish?.kind === 'reload') return quiet({ ...withDiff(fresh, of, diff), ignoresWhitespace: wish.ignoreWhitespace });
  if (wish?.kind !== 'comment' || diff.asked === undefined || worker === undefined) return changedDiff(fresh, of, diff);
  const isNew = diff.asked.id === '';
  const place = isNew ? { ...diff.asked, id: `${view.id}-${view.begun}` } : diff.asked;
  const asking = withDiff({ ...fresh, focus: 'pane', begun: view.begun + (isNew ? 1 : 0) }, of, { ...diff, asked: place });
  const text = leftWords(view, { root: view.root, worker }, place) ?? place.text;
  const work = workIn(view, view.root, worker) ?? null;
  return quiet(beginTyping(asking, { kind: 'comment', worker, work, at: wish.at, place, saved: place.text }, makeField(text)));
}

/** Stores what a person wrote about a line of this worker's diff, which may have left the screen meanwhile. */
export function commented(view: View, { worker, place }: Extract<TypingPurpose, { kind: 'comment' }>, text: string): Updated {
  const of = workerKey(view.root, worker);
  const known = view.pane?.of === of && view.pane.content.kind === 'diff' ? view.pane.content.diff : view.commented.get(of);
  // A text that was stored while it was typed is there already.
  if (known?.asked?.id !== place.id) return quiet(view);
  const { view: after, effects } = changedDiff(
    withLeftWords(view, { root: view.root, worker }, place, undefined),
    of,
    withComment(known, text),
  );
  return { view: withoutAsked(after, worker), effects };
}

function changedDiff(view: View, of: string, diff: DiffView): Updated {
  const before = view.pane?.of === of && view.pane.content.kind === 'diff' ? view.pane.content.diff : view.commented.get(of);
  const worker = parseWorkerKey(of);
  const after = withDiff(view, of, diff);
  return worker === undefined || before === undefined ? quiet(after) : keepComments(after, worker, before.comments, diff.comments);
}

function withDiff(view: View, of: string, diff: DiffView): View {
  const after = remembering(view, of, diff);
  const { pane } = view;
  if (pane?.of !== of || pane.content.kind !== 'diff') return after;
  return { ...after, pane: { ...pane, content: { ...pane.content, diff } } };
}

function remembering(view: View, of: string, diff: DiffView): View {
  const others = [...view.commented].filter(([other]) => other !== of);
  const isWanted = diff.comments.length > 0 || diff.asked !== undefined;
  return { ...view, commented: new Map(isWanted ? [...others, [of, diff]] : others) };
}
