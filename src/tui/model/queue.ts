import type { HeldMessage } from '../../workers/prompt/held-messages.ts';
import type { TaskReport } from '../../workers/queue/show-queue.ts';
import { makeField } from '../screen/text-field.ts';
import type { Effect } from './effect.ts';
import { type Event, quiet, type Updated } from './event.ts';
import { beginEffect } from './running.ts';
import { beginTyping } from './typing.ts';
import type { Mode, TypingPurpose, View } from './view.ts';

type Queue = Extract<Mode, { kind: 'queue' }>;

/** The queue as it was read: the tasks, and below them the messages that wait for their agents. */
export function withQueue(view: View, { root, tasks, messages }: Extract<Event, { kind: 'queue' }>): View {
  const { mode } = view;
  if (root !== view.root) return view;
  const read = (queue: Queue): Queue => ({ ...queue, tasks, messages, at: within(queue.at, tasks.length + messages.length) });
  if (mode.kind === 'confirm' && mode.below.kind === 'queue') return { ...view, mode: { ...mode, below: read(mode.below) } };
  return mode.kind === 'queue' ? { ...view, mode: read(mode) } : view;
}

/** The queue is read again after a change of it. */
export function afterChange(view: View, effect: Effect): Updated {
  const isQueue = view.mode.kind === 'queue' || (view.mode.kind === 'confirm' && view.mode.below.kind === 'queue');
  return isQueue && CHANGES.includes(effect.kind) ? beginEffect(view, { kind: 'list-queue' }) : quiet(view);
}

const CHANGES: readonly Effect['kind'][] = ['task', 'cancel-task', 'move-task', 'edit-task', 'message', 'cancel-message', 'edit-message'];

const within = (at: number, count: number): number => Math.max(0, Math.min(count - 1, at));

export function queueKey(before: View, mode: Queue, key: string): Updated {
  const view = { ...before, notice: undefined };
  const { tasks = [], messages, at } = mode;
  const go = (to: number) => quiet({ ...view, mode: { ...mode, at: within(to, tasks.length + messages.length) } });
  switch (key) {
    case 'escape':
    case 'q':
    case 'ctrl+c':
      return quiet({ ...view, mode: { kind: 'browse' } });
    case 'n':
      return quiet(beginTyping(view, { kind: 'task' }, view.task));
    case 'j':
    case 'down':
    case 'wheel-down':
      return go(at + 1);
    case 'k':
    case 'up':
    case 'wheel-up':
      return go(at - 1);
  }
  const task = tasks[at];
  const message = messages[at - tasks.length];
  if (task !== undefined) return changeKey(view, mode, key, ofTask(task));
  if (message === undefined) return quiet(view);
  const { purpose, worker } = message;
  if (purpose === 'message' || !isChange(key)) return changeKey(view, mode, key, ofMessage(message));
  // llmc counts on these prompts, so the command refuses to change them too.
  const text = `This is not a message but the ${purpose} prompt of ${worker}: it cannot be changed.`;
  return quiet({ ...view, notice: { tone: 'bad', text } });
}

/** What can be done about an entry of the queue. */
interface Change {
  readonly name: string;
  readonly text: string;
  readonly asked: TypingPurpose;
  readonly cancel: Effect;
  /** Only tasks have an order that a person decides. */
  readonly number?: number;
}

function ofTask({ number, prompt }: TaskReport): Change {
  return { name: `task ${number}`, text: prompt, asked: { kind: 'queued', number }, cancel: { kind: 'cancel-task', number }, number };
}

function ofMessage({ worker, id, text }: HeldMessage): Change {
  return { name: `message ${id} to ${worker}`, text, asked: { kind: 'held', worker, id }, cancel: { kind: 'cancel-message', worker, id } };
}

const CANCELS = ['x', 'd', 'delete'];
const EDITS = ['e', 'enter'];
const isChange = (key: string): boolean => [...CANCELS, ...EDITS].includes(key);

function changeKey(view: View, mode: Queue, key: string, { name, text, asked, cancel, number }: Change): Updated {
  if (CANCELS.includes(key)) return quiet({ ...view, mode: { kind: 'confirm', question: `Cancel ${name}?`, effect: cancel, below: mode } });
  if (EDITS.includes(key)) return quiet(beginTyping(view, asked, makeField(text)));
  return number !== undefined && (key === 'K' || key === 'J') ? moveTask(view, mode, number, key === 'K' ? -1 : 1) : quiet(view);
}

function moveTask(view: View, mode: Queue, number: number, by: 1 | -1): Updated {
  const { tasks = [], at } = mode;
  const to = at + by;
  if (to < 0 || to >= tasks.length) return quiet(view);
  const before = (by === -1 ? tasks[to] : tasks[to + 1])?.number ?? 'last';
  return beginEffect({ ...view, mode: { ...mode, at: to } }, { kind: 'move-task', number, before });
}
