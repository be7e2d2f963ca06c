import { choose, land, sendChoice } from './actions.ts';
import { quiet, type Updated } from './event.ts';
import { begin } from './running.ts';
import type { Mode, View } from './view.ts';

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

/** Only y does it. With a meaning of q, any other key leaves everything as it is. */
export function confirmKey(view: View, { effect, no, q, below }: Confirm, key: string): Updated {
  const back: View = { ...view, mode: below };
  const isQuit = effect.kind === 'quit' && (key === 'ctrl+c' || key === 'Q');
  if (key === 'y' || key === 'Y' || isQuit) return effect.kind === 'accept' ? land(back, effect) : begin(back, effect);
  if (no !== undefined && (key === 'n' || key === 'N')) return begin(back, no.effect);
  return q === undefined ? quiet({ ...back, notice: { tone: 'plain', text: 'Nothing was changed.' } }) : quiet(back);
}
