import type { DiffView } from '../diff/diff-view.ts';
import { changeDiff, draftGone, draftSettled, draftsSent, showLost } from './drafts.ts';
import { type Begun, describeEffect, type Effect, nameSubject } from './effect.ts';
import { type Event, quiet, type Updated } from './event.ts';
import { workerKey } from './item.ts';
import { withFailedReport } from './seen-report.ts';
import { reopenTyped } from './typing.ts';
import { type Mode, makeRootPrefix, type View, type ViewNotice } from './view.ts';

/** Begins an effect, in the root that the keys act in unless it names one. Waits if one on the same worker, question or task is under way. */
export function beginEffect(view: View, wish: Effect, lands?: DiffView): Updated {
  const effect: Begun = { ...wish, root: wish.root ?? view.root };
  const refused = underWay(view, nameSubject(effect));
  if (refused !== undefined) return quiet(refused);
  const isShort = describeEffect(effect) === undefined;
  return { view: isShort ? view : { ...view, running: [...view.running, { effect, line: undefined, lands }] }, effects: [effect] };
}

/** The view that says what is under way for this subject; undefined if nothing is. */
export function underWay(view: View, subject: string | undefined): View | undefined {
  const other = subject === undefined ? undefined : view.running.find(({ effect }) => nameSubject(effect) === subject);
  if (other === undefined) return undefined;
  return {
    ...view,
    notice: {
      tone: 'bad',
      text: `${makeRootPrefix(view, other.effect.root)}${describeEffect(other.effect) ?? 'Something'} is not over yet. Wait for it.`,
    },
  };
}

/** The subjects of what is under way. */
export function busySubjects({ running }: View): readonly string[] {
  return running.flatMap(({ effect }) => nameSubject(effect) ?? []);
}

export function progressed(view: View, { effect, line }: Extract<Event, { kind: 'progress' }>): View {
  return { ...view, running: view.running.map((each) => (each.effect === effect ? { ...each, line } : each)) };
}

export function done(view: View, { effect, notice: said, opens, isLanding, changedDrafts }: Extract<Event, { kind: 'done' }>): View {
  if (effect.kind === 'draft') {
    const settled = draftSettled(view, effect, isLanding === true ? 'landing' : 'saved');
    // The message is part of the work on the screen.
    return effect.id === `message:${effect.worker}` ? { ...settled, reloads: view.reloads + 1 } : settled;
  }
  const rest = sent(view, effect, changedDrafts);
  const notice = said && about(view, effect, said);
  if (opens === undefined) return { ...rest, notice: notice ?? view.notice };
  if (view.mode.kind === 'browse') return { ...rest, mode: opened(opens, makeRootPrefix(view, effect.root), view.now), notice };
  // What a person types meanwhile is not interrupted.
  if (notice !== undefined) return { ...rest, notice };
  const text = `${describeEffect(effect) ?? 'A command'} is over; what it says was not shown over your text. Do it again to see it.`;
  return { ...rest, notice: { tone: 'plain', text } };
}

/** Among several roots, what is said begins with the name of the one that it is about. */
function about(view: View, { root }: Begun, notice: ViewNotice): ViewNotice {
  return { ...notice, text: `${makeRootPrefix(view, root)}${notice.text}` };
}

function opened(mode: Mode, place: string, now: number): Mode {
  if (mode.kind === 'output') return { ...mode, title: `${place}${mode.title}` };
  if (mode.kind !== 'confirm') return mode;
  const asked = { ...mode, question: `${place}${mode.question}` };
  return asked.offer === undefined ? asked : { ...asked, offer: { ...asked.offer, since: now } };
}

export function effectFailed(
  view: View,
  { effect, notice: said, isOutdated, isRecorded, isFinal }: Extract<Event, { kind: 'failed' }>,
): View {
  if (effect.kind === 'mark-seen') return withFailedReport(view, effect);
  if (effect.kind === 'draft' && isFinal === true) {
    const rest = draftGone(view, effect);
    const why = `${makeRootPrefix(view, effect.root)}What you wrote cannot be stored: ${said.text}`;
    return effect.draft === null ? rest : showLost(rest, why, effect.draft.text);
  }
  if (effect.kind === 'draft')
    return {
      ...draftSettled(view, effect, 'failed'),
      notice: about(view, effect, { ...said, text: `What you wrote is not on the disk yet: ${said.text}` }),
    };
  const notice = about(view, effect, said);
  // A text that is in its field again would be sent twice.
  const rest = isRecorded === true ? { ...sent(view, effect), notice } : reopenTyped({ ...without(view, effect), notice }, effect);
  return isOutdated ? { ...rest, reloads: rest.reloads + 1 } : rest;
}

function without(view: View, effect: Begun): View {
  return { ...view, running: view.running.filter((each) => each.effect !== effect) };
}

/** What was sent is not sent again. What was written meanwhile stays. */
function sent(view: View, effect: Begun, changed: readonly string[] = []): View {
  const rest = without(view, effect);
  if (effect.kind !== 'reject') return rest;
  const of = workerKey(effect.root, effect.worker);
  const ids = effect.drafts.flatMap(({ id }) => (changed.includes(id) ? [] : [id]));
  const left = (diff: DiffView): DiffView => ({ ...diff, comments: diff.comments.filter(({ id }) => !ids.includes(id)) });
  return draftsSent(changeDiff({ ...rest, reloads: rest.reloads + Math.sign(changed.length) }, of, left), effect.root, effect.worker, ids);
}
