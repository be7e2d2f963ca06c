import { shellWord } from '../../base/shell-quote.ts';
import type { AgentChoice } from '../../workers/pool/offer-worker.ts';
import type { Pressed } from '../screen/key.ts';
import { EMPTY_FIELD, makeField, type TextField, typeInto } from '../screen/text-field.ts';
import { firstSend } from './burst.ts';
import { completeKey } from './complete.ts';
import { keep, typedForNothing, withLeftWords, withoutAsked } from './drafts.ts';
import type { Begun, Effect } from './effect.ts';
import { quiet, type Updated } from './event.ts';
import { inRoot, keepSelection } from './select.ts';
import { modelsFor, PART_KEYS, type TaskLike, type TaskPart, turned } from './task-like.ts';
import { type Mode, reportIn, type TypingPurpose, UNREAD_QUEUE, type View, type ViewNotice } from './view.ts';

export type Typing = Extract<Mode, { kind: 'typing' }>;

export function beginTyping(view: View, asked: TypingPurpose, field: TextField = EMPTY_FIELD): View {
  return { ...view, mode: { kind: 'typing', asked, field, sendsFrom: firstSend(view) }, notice: undefined };
}

/** Enter sends the text from this moment on at the earliest. */
export function holdEnter(view: View, sendsFrom: number): View {
  return view.mode.kind === 'typing' ? { ...view, mode: { ...view.mode, sendsFrom } } : view;
}

/** A key while a text is typed: the text, or what is to be done with it. */
export function typingKey(view: View, mode: Typing, pressed: Pressed): Updated {
  const key = pressed.kind === 'key' ? pressed.key : undefined;
  if (key === 'escape' || key === 'ctrl+c') return left(view, mode);
  const part = mode.asked.kind === 'task' && key !== undefined ? PART_KEYS[key] : undefined;
  if (part !== undefined)
    return view.choices === undefined
      ? { view, effects: [{ kind: 'list-agents', root: view.root, part }] }
      : quiet(withPart(view, view.choices, part));
  if (key === 'ctrl+e' && (mode.asked.kind === 'task' || isOfQueue(mode.asked)))
    return { view, effects: [{ kind: 'edit', root: view.root, edited: mode.asked, text: mode.field.text }] };
  if (key === 'ctrl+e') return quiet({ ...view, mode: { ...mode, field: makeField(mode.field.text) } });
  if (mode.asked.kind === 'command' && (key === 'tab' || key === 'shift+tab')) return completeKey(view, mode, key === 'tab' ? 1 : -1);
  const field = typeInto(mode.field, pressed);
  if (field === undefined) return quiet(view);
  const { completion: _, ...rest } = mode;
  const typing = { ...view, mode: { ...rest, field }, ...(mode.completion !== undefined && { notice: undefined }) };
  return quiet(mode.asked.kind === 'filter' ? filtered(view, typing, field.text) : typing);
}

/** The view with another agent or model for the task that is typed. */
export function withPart(view: View, choices: readonly AgentChoice[], part: TaskPart): View {
  const text = 'llmc knows no models of this agent: llmc start --model takes any name';
  const isUnknown = part === 'model' && modelsFor(view.like, choices).length === 0;
  return { ...view, choices, like: turned(view.like, choices, part), notice: isUnknown ? { tone: 'plain', text } : undefined };
}

/** Whether a text of the queue is edited. */
export function isOfQueue(asked: TypingPurpose): asked is Extract<TypingPurpose, { kind: 'queued' | 'held' }> {
  return asked.kind === 'queued' || asked.kind === 'held';
}

function left(view: View, mode: Typing): Updated {
  const back = typedForNothing(view);
  if (back !== undefined) return keep(leave(view, mode), back);
  return { view: leave(view, mode), effects: isOfQueue(mode.asked) ? [{ kind: 'list-queue', root: view.root }] : [] };
}

/** The text of a task is kept; a filter ends. */
function leave(view: View, { asked, field }: Typing): View {
  const browsing: View = { ...view, mode: { kind: 'browse' } };
  if (asked.kind === 'task') return { ...browsing, task: field };
  if (asked.kind === 'comment') return leaveComment(browsing, asked, field.text);
  if (isOfQueue(asked)) return { ...browsing, mode: UNREAD_QUEUE };
  return asked.kind === 'filter' ? filtered(view, browsing, '') : browsing;
}

function leaveComment(view: View, { worker, place }: Extract<TypingPurpose, { kind: 'comment' }>, text: string): View {
  const left = withoutAsked(view, worker);
  if (text.trim() === '' || text.trim() === place.text) return left;
  const notice: ViewNotice = { tone: 'plain', text: 'The comment was left out. c on the same line has its words again.' };
  return { ...withLeftWords(left, { root: view.root, worker }, place, text), notice };
}

function filtered(before: View, after: View, filter: string): View {
  return keepSelection(before, { ...after, filter: filter.trim() });
}

/** The effect of a text that is sent; undefined if there is nothing to do outside the view. */
export function makeEffect({ asked, field }: Typing, like: TaskLike): Effect | undefined {
  const text = field.text.trim();
  if (text === '') return undefined;
  switch (asked.kind) {
    case 'filter':
    case 'find':
    case 'comment':
    case 'reject':
      return undefined;
    case 'task':
      return like.agent === undefined && like.model === undefined ? { kind: 'task', text } : { kind: 'task', text, like };
    case 'command':
      return { kind: 'command', line: text };
    case 'search':
      return { kind: 'command', line: `search ${searched(text)}` };
    case 'message':
      return { kind: 'message', worker: asked.worker, text };
    case 'answer':
      return { kind: 'answer', worker: asked.worker, choice: text, dialog: asked.dialog };
    case 'decide':
      return { kind: 'decide', run: asked.run, number: asked.number, option: asked.option, text };
    case 'queued':
      return { kind: 'edit-task', number: asked.number, text };
    case 'held':
      return { kind: 'edit-message', worker: asked.worker, id: asked.id, text };
  }
}

/** The text of a task is in the task line of its root again; before what a person types there meanwhile. */
export function takenBack(before: View, root: string, text: string, like: TaskLike | undefined): View {
  const joined = (field: TextField) => makeField(field.text === '' ? text : `${text}\n${field.text}`);
  if (root !== before.root) {
    const kept = before.tasks.get(root) ?? { field: EMPTY_FIELD, like: {} };
    return { ...before, tasks: new Map([...before.tasks, [root, { field: joined(kept.field), like: like ?? kept.like }]]) };
  }
  const view: View = { ...before, like: like ?? before.like };
  const { mode, notice } = view;
  if (mode.kind === 'browse') return { ...beginTyping(view, { kind: 'task' }, joined(view.task)), notice };
  if (mode.kind === 'typing' && mode.asked.kind === 'task') return { ...view, mode: { ...mode, field: joined(mode.field) } };
  return { ...view, task: joined(view.task) };
}

/** A text that could not be sent is in its field again, unless the person already types something else. A task is never lost. */
export function reopenTyped(view: View, effect: Begun): View {
  if (effect.kind === 'task') {
    const before = view.mode.kind === 'browse' ? inRoot(view, effect.root) : view;
    return takenBack(before, effect.root, effect.text, effect.like);
  }
  if (view.mode.kind !== 'browse' && view.mode.kind !== 'queue') return view;
  const there = inRoot(view, effect.root);
  const typed = typedIn(effect, there);
  if (typed === undefined) return view;
  const reopened: View = { ...beginTyping(there, typed.asked, makeField(typed.text)), notice: view.notice };
  // The worker may ask something else by now: an enter that is on its way is not about that.
  return effect.kind === 'answer' ? holdEnter(reopened, Number.POSITIVE_INFINITY) : reopened;
}

function typedIn(effect: Effect, view: View): { readonly asked: TypingPurpose; readonly text: string } | undefined {
  switch (effect.kind) {
    case 'message':
      return { asked: { kind: 'message', worker: effect.worker }, text: effect.text };
    case 'reject':
      if (effect.words === '') return undefined;
      return { asked: { kind: 'reject', worker: effect.worker, work: effect.work, comments: effect.notes.length }, text: effect.words };
    case 'command':
      return { asked: { kind: 'command' }, text: effect.line };
    case 'answer':
      // A number is an answer to that question only.
      return /^\d+(?:,\d+)*$/.test(effect.choice) ? undefined : { asked: answering(effect.worker, view), text: effect.choice };
    case 'decide': {
      const { run, number, option, text } = effect;
      return text === undefined ? undefined : { asked: { kind: 'decide', run, number, option }, text };
    }
    case 'edit-task':
      return { asked: { kind: 'queued', number: effect.number }, text: effect.text };
    case 'edit-message':
      return { asked: { kind: 'held', worker: effect.worker, id: effect.id }, text: effect.text };
    default:
      return undefined;
  }
}

/** The worker may ask something else by now, or nothing. */
function answering(worker: string, view: View): TypingPurpose {
  const asks = reportIn(view)?.workers.find(({ name }) => name === worker)?.asks ?? null;
  return asks === null ? { kind: 'message', worker } : { kind: 'answer', worker, dialog: asks.id };
}

/** Quotes work as in a shell. A text with a single one, such as it's, is searched as it stands. */
function searched(text: string): string {
  const isPaired = [`'`, '"'].every((quote) => text.split(quote).length % 2 === 1);
  return isPaired ? text : shellWord(text);
}
