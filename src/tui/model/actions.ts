import { isDeepStrictEqual } from 'node:util';
import { countedDrafts } from '../../workers/review/text/draft-words.ts';
import { lostFeedback, toNotes } from '../diff/comments/notes.ts';
import type { DiffView } from '../diff/diff-view.ts';
import { isEndOfAnswer, isTyping } from './burst.ts';
import { type Choices, findChoices } from './choices.ts';
import { keep, showLost } from './drafts.ts';
import type { Edited, Effect } from './effect.ts';
import { quiet, type Updated } from './event.ts';
import { type ListItem, workerKey } from './item.ts';
import { isPaneVisible } from './pane.ts';
import { beginEffect, busySubjects, underWay } from './running.ts';
import { nextUrgent } from './select.ts';
import { beginTyping } from './typing.ts';
import { isAboutOther, type PaneContent, selectedIn, type TypingPurpose, type View, type ViewNotice } from './view.ts';

/** A key that comes sooner after what it is about appeared was meant for what stood there before. */
const TYPED_AHEAD_MS = 250;

export function isTypedAhead({ now }: View, shownAt: number | undefined): boolean {
  return shownAt === undefined || now - shownAt < TYPED_AHEAD_MS;
}

/** Whether the view went on to the selected item by itself, and the person cannot have read it yet. */
function isUnread(view: View): boolean {
  return view.wentOn !== undefined && isTypedAhead(view, view.wentOn.shownAt);
}

/** What the pane shows of the selected worker: its work or its answer; undefined if it is not on the screen, or has only just appeared. */
function diffShown(view: View): Extract<PaneContent, { kind: 'diff' }> | undefined {
  const { pane, tab, selected } = view;
  if (!isPaneVisible(view)) return undefined;
  if (pane === undefined || pane.of !== selected || tab !== 'diff' || pane.content.kind !== 'diff') return undefined;
  return isTypedAhead(view, pane.shownAt) ? undefined : pane.content;
}

/** The pane without the long text that covers its lines; undefined if nothing covers them. */
function withoutHead(view: View): View | undefined {
  const { pane, selected } = view;
  if (pane?.of !== selected || pane?.content.kind !== 'diff' || pane.content.diff.focus !== 'head') return undefined;
  const diff = { ...pane.content.diff, focus: 'lines' as const };
  return { ...view, pane: { ...pane, content: { ...pane.content, diff }, shownAt: undefined } };
}

/** Opens the pane in which a person reads what the key is about. */
function lookFirst(view: View, text: string): Updated {
  return quiet({ ...view, tab: 'diff', focus: 'pane', pane: view.tab === 'diff' ? view.pane : undefined, notice: plain(text) });
}

/** Lands the work on the screen and goes on to what needs the person next. Nothing lands that was not on the screen. */
export function acceptSelected(view: View): Updated {
  const item = selectedIn(view);
  if (item?.kind === 'question') return choose(view, Math.max(0, item.question.options.indexOf(item.question.recommended)) + 1);
  if (item?.kind !== 'worker' || item.group !== 'to review')
    return refuse(view, 'There is no work to accept here.', 'select work to review');
  const { name, attention_kind: kind } = item.worker;
  if (kind === 'answer') return refuse(view, `${name} has an answer, which does not land.`, 'd dismisses it, space replies');
  // Work that is landing is not asked to be looked at again.
  const landing = underWay(view, item.key);
  if (landing !== undefined) return quiet(landing);
  const covered = withoutHead(view);
  if (covered !== undefined) return quiet({ ...covered, notice: plain(`This is the work of ${name}. Press a again to land it.`) });
  const content = diffShown(view);
  const work = content?.seen;
  if (work === undefined && (view.tab !== 'diff' || !isPaneVisible(view)))
    return lookFirst(view, `This is the work of ${name}. Press a again to land it.`);
  if (view.pane?.of === item.key && view.pane.content.kind === 'failed')
    return refuse({ ...view, reloads: view.reloads + 1 }, `The work of ${name} could not be loaded. Loading it again.`, undefined);
  if (work === undefined) return refuse(view, `The work of ${name} was not on the screen yet.`, 'press a again');
  const effect = { kind: 'accept', worker: name, seen: work } as const;
  const unsent = content?.diff.comments.length ?? 0;
  if (unsent === 0) return beginLanding(view, effect);
  const question = `${countedDrafts(unsent)} would never be sent (r sends). Land the work of ${name} without?`;
  return quiet({ ...view, mode: { kind: 'confirm', question, effect, below: view.mode } });
}

/** The work stays in its pane while it lands. */
export function beginLanding(view: View, effect: Extract<Effect, { kind: 'accept' }>): Updated {
  const { pane } = view;
  const lands = pane?.of === workerKey(view.root, effect.worker) && pane.content.kind === 'diff' ? pane.content.diff : undefined;
  const begun = beginEffect(view, effect, lands);
  return { ...begun, view: onward(begun.view) };
}

/** Asks for words: beside the comments, or alone. */
export function rejectSelected(view: View): Updated {
  const item = selectedIn(view);
  if (item?.kind === 'question' && item.question.options.includes('reject'))
    return choose(view, item.question.options.indexOf('reject') + 1);
  if (item?.kind !== 'worker' || item.group !== 'to review')
    return refuse(view, 'There is no work to reject here.', 'select work to review');
  const { name: worker, work_id: work, draft_comments: stored } = item.worker;
  const diff = commentedDiff(view, worker);
  if (diff === undefined && stored > 0) return lookFirst(view, `${worker} has ${countedDrafts(stored)}. Press r again to send them.`);
  const comments = diff?.comments.length ?? 0;
  if (comments > 0 && isUnread(view)) return refuse(view, `The work of ${worker} was not on the screen yet.`, 'press r again');
  return quiet(beginTyping(view, { kind: 'reject', worker, work, comments }));
}

/** Sends the words with the comments; without either there is nothing to send. */
export function sendRejection(view: View, { worker, work }: Extract<TypingPurpose, { kind: 'reject' }>, typed: string): Updated {
  const words = typed.trim();
  const diff = commentedDiff(view, worker);
  const notes = diff === undefined ? [] : toNotes(diff);
  const lost = diff === undefined ? '' : lostFeedback(diff);
  if (words === '' && notes.length === 0 && lost === '') return quiet(view);
  const feedback = [words === '' ? 'See the remarks.' : words, lost].filter((part) => part !== '').join('\n\n');
  return goOnIfBegun(
    beginEffect(view, {
      kind: 'reject',
      worker,
      work,
      feedback,
      notes,
      words,
      drafts: diff?.comments.map(({ id, text }) => ({ id, text })) ?? [],
    }),
  );
}

/** The diff of a worker with the comments on it, also while something else is on the screen. */
function commentedDiff({ pane, commented, root }: View, worker: string): DiffView | undefined {
  const key = workerKey(root, worker);
  return pane?.of === key && pane.content.kind === 'diff' ? pane.content.diff : commented.get(key);
}

/** Opens the message of the commit on the screen in the editor. */
export function editCommitMessage(view: View): Updated {
  const item = selectedIn(view);
  const shown = view.pane?.of === item?.key && view.pane?.content.kind === 'diff' ? view.pane.content.diff.shown : undefined;
  if (item?.kind !== 'worker' || item.group !== 'to review' || shown?.kind !== 'work' || shown.commits.length === 0)
    return refuse(view, 'There is no commit here whose message could be edited.', 'select work to review');
  const { name: worker, work_id: work } = item.worker;
  const landing = underWay(view, item.key);
  if (landing !== undefined) return quiet(landing);
  const { message: now, agent_message: instead } = shown;
  return { view, effects: [{ kind: 'edit', root: item.root, edited: { kind: 'commit', worker, work, now, instead }, text: now }] };
}

/** Stores the message; an accept lands it. An empty one changes nothing, that of the agent ends the edited one. */
export function keepMessage(
  view: View,
  root: string,
  { worker, work, now, instead }: Extract<Edited, { kind: 'commit' }>,
  typed: string,
): Updated {
  const text = typed.trim();
  if (isAboutOther(view, root, { worker, work }))
    return quiet(showLost(view, `${worker} has other work now. Your message was for work that is over`, text));
  if (text === '' || text === now.trim()) return quiet({ ...view, notice: plain('The message stays as it was.') });
  const draft = text === instead.trim() ? null : ({ kind: 'message', text, instead } as const);
  const words = draft === null ? `The message of ${worker} is the agent's again.` : `The work of ${worker} lands with this message.`;
  return keep({ ...view, notice: plain(words) }, { kind: 'draft', root, worker, work, id: `message:${worker}`, draft });
}

/** Puts the answer on the screen away and goes on; for other work, the refusal is about the worker that stays selected. */
export function dismissSelected(view: View): Updated {
  return ofWorker(view, (worker) => {
    const item = selectedIn(view);
    if (item?.kind !== 'worker' || item.worker.attention_kind !== 'answer') return beginEffect(view, { kind: 'dismiss', worker });
    if (diffShown(view) === undefined) return lookFirst(view, `This is the answer of ${worker}. Press d again to dismiss it.`);
    return goOnIfBegun(beginEffect(view, { kind: 'dismiss', worker }));
  });
}

/** After a decision: the next thing that needs the person. */
function onward(view: View): View {
  return nextUrgent(view, busySubjects(view));
}

/** Marks an answer below the whole question; enter sends it. */
export function choose(view: View, digit: number): Updated {
  const item = selectedIn(view);
  const choices = findChoices(item);
  if (item === undefined || choices === undefined) return refuse(view, 'Nothing is asked here.', undefined);
  if (choices.options.length === 0 && item.kind === 'worker')
    return refuse(view, 'llmc cannot read the answers to this question.', 'enter opens the terminal of the agent, space answers in words');
  if (digit > choices.options.length) return refuse(view, `There is no answer ${digit}.`, undefined);
  const { mode } = view;
  const before = mode.kind === 'choice' && choices.several && isDeepStrictEqual(mode.asked, choices) ? mode.marked : [];
  return quiet(mark(view, item, choices, before.includes(digit) ? before.filter((one) => one !== digit) : [...before, digit]));
}

function mark(view: View, item: ListItem, asked: Choices, marked: readonly number[]): View {
  const { mode, now } = view;
  const isOpen = mode.kind === 'choice' && isDeepStrictEqual(mode.asked, asked);
  const [since, top] = isOpen ? [mode.since, mode.top] : [now, 0];
  return { ...view, mode: { kind: 'choice', of: item.key, asked, marked: marked.toSorted((a, b) => a - b), since, top } };
}

/** The number of a row; its text if another row has that number as its text, which counts first. */
function rowIn(options: readonly string[], row: number): string {
  const isText = options.some((option) => option.trim() === String(row));
  return isText ? (options[row - 1] ?? String(row)) : String(row);
}

/** Sends the marked answer, unless another question has taken the place of the one that it was marked for. */
export function sendChoice(view: View, { of, asked, marked, since }: Extract<View['mode'], { kind: 'choice' }>): Updated {
  const item = selectedIn(view);
  const choices = findChoices(item);
  const browsing: View = { ...view, mode: { kind: 'browse' } };
  if (item === undefined || item.key !== of || choices === undefined) return refuse(browsing, 'The question is no longer open.', undefined);
  if (!isDeepStrictEqual(choices, asked))
    return quiet({ ...mark(view, item, choices, []), notice: plain('This is another question. Read it, then choose.') });
  const option = choices.options[(marked[0] ?? 0) - 1];
  if (option === undefined) return quiet({ ...view, notice: plain('Choose first, by a number.') });
  if (isTypedAhead(view, since)) return quiet({ ...view, notice: plain('Read the question, then press enter.') });
  if (item.kind === 'worker') {
    if (choices.dialog === null)
      return refuse(browsing, `The question of ${item.worker.name} is not observed yet.`, 'llmc up --detach, or try again');
    const choice = marked.map((row) => rowIn(choices.options, row)).join(',');
    return goOnIfBegun(beginEffect(browsing, { kind: 'answer', worker: item.worker.name, choice, dialog: choices.dialog }));
  }
  if (item.kind !== 'question') return quiet(browsing);
  const { run, number } = item.question;
  if (option === 'answer' || option === 'reject') return quiet(beginTyping(browsing, { kind: 'decide', run, number, option }));
  return goOnIfBegun(beginEffect(browsing, { kind: 'decide', run, number, option, text: undefined }));
}

export function goOnIfBegun({ view, effects }: Updated): Updated {
  return { view: effects.length === 0 ? view : onward(view), effects };
}

/** Writes to the worker: an answer if it asks, else a message. */
export function replyToSelected(view: View, isAnswer: boolean): Updated {
  const item = selectedIn(view);
  if (item?.kind === 'question' && item.question.options.includes('answer')) {
    const { run, number } = item.question;
    return quiet(beginTyping(view, { kind: 'decide', run, number, option: 'answer' }));
  }
  if (item?.kind !== 'worker') return quiet(view);
  const { name, asks } = item.worker;
  const isAsked = isAnswer && item.group === 'asks';
  if (isAsked && asks?.id === null) return refuse(view, `The question of ${name} is not observed yet.`, 'llmc up --detach, or try again');
  return quiet(beginTyping(view, isAsked ? { kind: 'answer', worker: name, dialog: asks?.id ?? null } : { kind: 'message', worker: name }));
}

/** Gives the terminal to the agent of the selected worker, which then gets all keys. */
export function attachSelected(view: View): Updated {
  const isQuestion = selectedIn(view)?.kind === 'question';
  if (isEndOfAnswer(view) && (isQuestion || view.wentOn === undefined)) return quiet({ ...view, answeredAt: Number.NEGATIVE_INFINITY });
  if (isQuestion) return choose(view, 1);
  if (isTyping(view)) return refuse(view, 'You pressed enter right behind other keys, so no terminal was opened.', 'press enter again');
  return ofWorker(view, (worker) =>
    isUnread(view)
      ? refuse(view, `${worker} was not on the screen yet when you pressed enter.`, 'press enter again')
      : beginEffect(view, { kind: 'attach', worker }),
  );
}

function ofWorker(view: View, then: (worker: string) => Updated): Updated {
  const item = selectedIn(view);
  return item?.kind === 'worker' ? then(item.worker.name) : refuse(view, 'No worker is selected.', undefined);
}

function refuse(view: View, text: string, hint: string | undefined): Updated {
  return quiet({ ...view, notice: { tone: 'bad', text, hint } });
}

const plain = (text: string): ViewNotice => ({ tone: 'plain', text });
