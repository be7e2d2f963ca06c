import { fieldOf } from '../screen/text-field.ts';
import { choose, sendChoice } from './actions.ts';
import { quiet, type Updated } from './event.ts';
import { begin } from './running.ts';
import { beginTyping } from './typing.ts';
import type { Mode, View } from './view.ts';

type Queue = Extract<Mode, { kind: 'queue' }>;
type Confirm = Extract<Mode, { kind: 'confirm' }>;
type Scrolled = Extract<Mode, { top: number }>;

const STEPS: Readonly<Record<string, number>> = {
  ...{ j: 1, down: 1, k: -1, up: -1, 'wheel-down': 3, 'wheel-up': -3 },
  ...{ 'page-down': 10, 'page-up': -10, 'ctrl+d': 10, 'ctrl+u': -10, home: -1_000_000, g: -1_000_000 },
};

/** A key while a text covers the screen: scrolls, or closes it. */
export function scrolledKey(view: View, mode: Scrolled, key: string): Updated {
  const by = STEPS[key];
  if (by !== undefined) return quiet({ ...view, mode: { ...mode, top: Math.max(0, mode.top + by) } });
  if (mode.kind === 'choice' && /^[1-9]$/.test(key)) return choose(view, Number(key));
  if (mode.kind === 'choice' && key === 'enter') return sendChoice(view, mode);
  return closes(mode, key) ? quiet({ ...view, mode: { kind: 'browse' } }) : quiet(view);
}

function closes(mode: Scrolled, key: string): boolean {
  const own = { help: ['?'], costs: ['$'], output: ['enter', ' '], choice: [] }[mode.kind];
  return ['escape', 'q', 'ctrl+c', ...own].includes(key);
}

/** Only y does it. */
export function confirmKey(view: View, { effect, below }: Confirm, key: string): Updated {
  const back: View = { ...view, mode: below };
  const isQuit = effect.kind === 'quit' && (key === 'ctrl+c' || key === 'Q');
  if (key === 'y' || key === 'Y' || isQuit) return begin(back, effect);
  return quiet({ ...back, notice: { tone: 'plain', text: 'Nothing was changed.' } });
}

export function queueKey(view: View, mode: Queue, key: string): Updated {
  const { tasks = [], at } = mode;
  const task = tasks[at];
  const go = (to: number) => quiet({ ...view, mode: { ...mode, at: Math.max(0, Math.min(tasks.length - 1, to)) } });
  if (key === 'escape' || key === 'q' || key === 'ctrl+c') return quiet({ ...view, mode: { kind: 'browse' } });
  if (key === 'n') return quiet(beginTyping(view, { kind: 'task' }, view.task));
  if (task === undefined) return quiet(view);
  const { number } = task;
  switch (key) {
    case 'j':
    case 'down':
    case 'wheel-down':
      return go(at + 1);
    case 'k':
    case 'up':
    case 'wheel-up':
      return go(at - 1);
    case 'x':
    case 'd':
    case 'delete': {
      const question = `Cancel task ${number}?`;
      return quiet({ ...view, mode: { kind: 'confirm', question, effect: { kind: 'cancel-task', number }, below: mode } });
    }
    case 'e':
    case 'enter':
      return quiet(beginTyping(view, { kind: 'queued', number }, fieldOf(task.prompt)));
    case 'K':
    case 'J':
      return moveTask(view, mode, number, key === 'K' ? -1 : 1);
    default:
      return quiet(view);
  }
}

function moveTask(view: View, mode: Queue, number: number, by: 1 | -1): Updated {
  const { tasks = [], at } = mode;
  const to = at + by;
  if (to < 0 || to >= tasks.length) return quiet(view);
  const before = (by === -1 ? tasks[to] : tasks[to + 1])?.number ?? 'last';
  return begin({ ...view, mode: { ...mode, at: to } }, { kind: 'move-task', number, before });
}
