import { visibleLine } from '../../base/visible-text.ts';
import type { CommentDraft, Draft, KeptDraft } from '../../store/tables/drafts.ts';
import { type Comment, moved } from '../diff/comments/comment.ts';
import type { DiffView } from '../diff/diff-view.ts';
import type { Begun } from './effect.ts';
import type { Updated } from './event.ts';
import { workerKey } from './item.ts';
import { type DraftOnItsWay, isAboutOther, type View, workIn } from './view.ts';

type DraftEffect = Extract<Begun, { kind: 'draft' }>;

/** Whose drafts they are. */
interface OfWorker {
  readonly root: string;
  readonly worker: string;
}

/** A list that was read before the draft was stored may arrive this much later. */
const SAVED_MS = 10_000;
const AGAIN_MS = 5_000;

/** Stores a draft, or deletes it. */
export function keep(view: View, effect: DraftEffect): Updated {
  return { view: onItsWay(view, effect, 'saving'), effects: [effect] };
}

/** Stores the comments that differ from those before. */
export function keepComments(view: View, { root, worker }: OfWorker, before: readonly Comment[], after: readonly Comment[]): Updated {
  const work = workIn(view, root, worker);
  const written = after.filter((comment) => before.find(({ id }) => id === comment.id)?.text !== comment.text);
  const deleted = before.filter(({ id }) => !after.some((comment) => comment.id === id));
  const effects: readonly DraftEffect[] = [
    ...written.map((comment): DraftEffect => ({ kind: 'draft', root, worker, work, id: comment.id, draft: toDraft(comment) })),
    ...deleted.map(({ id }): DraftEffect => ({ kind: 'draft', root, worker, work, id, draft: null })),
  ];
  return { view: effects.reduce((each, effect) => onItsWay(each, effect, 'saving'), view), effects };
}

export function draftSettled(view: View, effect: DraftEffect, state: 'failed' | 'landing' | 'saved'): View {
  // A later change of the same draft is still under way.
  return view.drafts.get(toKey(effect))?.draft === effect.draft ? onItsWay(view, effect, state) : view;
}

/** A draft that can never be stored is not tried again. */
export function draftGone(view: View, effect: DraftEffect): View {
  const isLatest = view.drafts.get(toKey(effect))?.draft === effect.draft;
  return isLatest ? { ...view, drafts: new Map([...view.drafts].filter(([key]) => key !== toKey(effect))) } : view;
}

/** Shows a text that has no place any more as a whole, for a person to copy. What is typed meanwhile is not covered: the notice has it then. */
export function showLost(view: View, why: string, text: string): View {
  if (view.mode.kind === 'browse') return { ...view, mode: { kind: 'output', title: 'what you wrote', text: `${why}\n\n${text}`, top: 0 } };
  return { ...view, notice: { tone: 'bad', text: visibleLine(`${why}. Copy what you wrote: ${text}`) } };
}

/** What would be lost if the view ended now, as a sentence; undefined if everything is on the disk. */
export function unstored({ drafts }: View): string | undefined {
  const workers = [...drafts.values()].flatMap(({ state, draft, worker }) =>
    state === 'saved' || state === 'landing' || draft === null ? [] : [worker],
  );
  if (workers.length === 0) return undefined;
  return `What you wrote about ${[...new Set(workers)].join(', ')} is not on the disk yet and would be lost.`;
}

/** What was sent is gone from the disk, in the same transaction as the rejection was recorded. */
export function draftsSent(view: View, root: string, worker: string, ids: readonly string[]): View {
  return ids.reduce((each, id) => onItsWay(each, { kind: 'draft', root, worker, work: undefined, id, draft: null }, 'saved'), view);
}

function onItsWay(view: View, effect: DraftEffect, state: DraftOnItsWay['state']): View {
  const { root, worker, work, id, draft } = effect;
  return { ...view, drafts: new Map([...view.drafts, [toKey(effect), { root, worker, work, id, draft, state, since: view.now }]]) };
}

/** Workers of two roots may have the same name, and so may the drafts of their messages. */
const toKey = ({ root, id }: Pick<DraftEffect, 'root' | 'id'>): string => `${id} ${root}`;

/**
 * Once a second: a text that is being typed is stored too, and what could not be stored is tried again. So is what was stored while the work
 * landed: only then the person learns that it ended with the work.
 */
export function draftsInTime(view: View): Updated {
  const typed = typedSoFar(view);
  const current = typed?.view ?? view;
  const due = [...current.drafts].filter(
    ([, { state, since }]) => (state === 'failed' || state === 'landing') && view.now - since >= AGAIN_MS,
  );
  const kept = [...current.drafts].filter(([, { state, since }]) => state !== 'saved' || view.now - since < SAVED_MS);
  const rest = kept.length === current.drafts.size ? current : { ...current, drafts: new Map(kept) };
  const again = due.map(([, { root, worker, work, id, draft }]): DraftEffect => ({ kind: 'draft', root, worker, work, id, draft }));
  return { view: again.reduce((each, effect) => onItsWay(each, effect, 'saving'), rest), effects: [...(typed?.effects ?? []), ...again] };
}

/** Before the view ends: what is typed, and what could not be stored yet. */
export function draftsAtEnd(view: View): Updated {
  const typed = typedSoFar(view);
  const current = typed?.view ?? view;
  const failed = [...current.drafts.values()].filter(({ state }) => state === 'failed');
  const again = failed.map(({ root, worker, work, id, draft }): DraftEffect => ({ kind: 'draft', root, worker, work, id, draft }));
  return { view: current, effects: [...(typed?.effects ?? []), ...again] };
}

function typedSoFar(view: View): Updated | undefined {
  const { mode } = view;
  if (mode.kind !== 'typing' || mode.asked.kind !== 'comment') return undefined;
  const { asked, field } = mode;
  const text = field.text.trim();
  if (text === '' || text === asked.saved || isAboutOther(view, view.root, asked)) return undefined;
  const saved: View = { ...view, mode: { ...mode, asked: { ...asked, saved: text } } };
  return keep(saved, {
    kind: 'draft',
    root: view.root,
    worker: asked.worker,
    work: asked.work,
    id: asked.place.id,
    draft: toDraft({ ...asked.place, text }),
  });
}

/** The text that was typed is not wanted: what was there before is stored again. */
export function typedForNothing(view: View): DraftEffect | undefined {
  const { mode, root } = view;
  if (mode.kind !== 'typing' || mode.asked.kind !== 'comment' || isAboutOther(view, root, mode.asked)) return undefined;
  const { worker, work, place, saved } = mode.asked;
  if (saved === place.text) return undefined;
  return { kind: 'draft', root, worker, work, id: place.id, draft: place.text === '' ? null : toDraft(place) };
}

/** Of this work: the next work of the worker may have the same line. */
const toLineKey = (view: View, { root, worker }: OfWorker, { path, side, to }: Comment): string =>
  JSON.stringify([root, worker, workIn(view, root, worker), path, side, to]);

/** The words of a field that was left, for the next one on the same line; undefined: those words are stored, or there are none. */
export function withLeftWords(view: View, of: OfWorker, place: Comment, words: string | undefined): View {
  const others = [...view.leftWords].filter(([line]) => line !== toLineKey(view, of, place));
  return { ...view, leftWords: new Map(words === undefined ? others : [...others, [toLineKey(view, of, place), words]]) };
}

export function leftWords(view: View, of: OfWorker, place: Comment): string | undefined {
  return view.leftWords.get(toLineKey(view, of, place));
}

/** Ends the question for a comment. Another view may have sent or deleted the comment meanwhile, so the work is loaded again. */
export function withoutAsked(view: View, worker: string): View {
  const after = changeDiff(view, workerKey(view.root, worker), (diff) => ({ ...diff, asked: undefined }));
  return { ...after, reloads: view.reloads + 1 };
}

/** Changes the diff of this item, on the screen and where it is remembered. A diff without comments need not be remembered. */
export function changeDiff(view: View, of: string, change: (diff: DiffView) => DiffView): View {
  const commented = [...view.commented].flatMap(([key, diff]): [string, DiffView][] => {
    const after = key === of ? change(diff) : diff;
    return after.comments.length > 0 || after.asked !== undefined ? [[key, after]] : [];
  });
  const after: View = { ...view, commented: new Map(commented) };
  const { pane } = view;
  if (pane?.of !== of || pane.content.kind !== 'diff') return after;
  return { ...after, pane: { ...pane, content: { ...pane.content, diff: change(pane.content.diff) } } };
}

const toDraft = ({ id: _id, isLost: _isLost, ...written }: Comment): CommentDraft => ({ kind: 'comment', ...written });

/** The comments of a diff as they are on the disk, changed by what is on its way there, each at its line if the diff still has that. */
export function withDrafts(view: Pick<View, 'drafts'>, { root, worker }: OfWorker, diff: DiffView, stored: readonly KeptDraft[]): DiffView {
  const own = [...view.drafts.values()].filter((each) => each.worker === worker && each.root === root);
  const known = new Map<string, Draft | null>([...stored.map(({ id, draft }): [string, Draft] => [id, draft]), ...own.map(toPair)]);
  const comments = [...known].flatMap(([id, draft]): Comment[] => {
    if (draft?.kind !== 'comment' || id === diff.asked?.id) return [];
    const there = diff.comments.find((comment) => comment.id === id);
    if (there !== undefined && there.text === draft.text) return [there];
    const { kind: _, ...place } = draft;
    return [moved({ id, ...place, isLost: false }, diff.files)];
  });
  const edited = diff.comments.filter(({ id }) => id === diff.asked?.id);
  return { ...diff, comments: [...comments, ...edited] };
}

const toPair = ({ id, draft }: DraftOnItsWay): [string, Draft | null] => [id, draft];
