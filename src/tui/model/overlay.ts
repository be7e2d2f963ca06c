import { beginLanding, choose, isTypedAhead, sendChoice } from './actions.ts';
import { isTyping } from './burst.ts';
import { quiet, type Updated } from './event.ts';
import { beginEffect } from './running.ts';
import type { Mode, View } from './view.ts';

type Confirm = Extract<Mode, { kind: 'confirm' }>;
type Offer = NonNullable<Confirm['offer']>;
type Scrolled = Extract<Mode, { top: number }>;

const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  down: 1,
  k: -1,
  up: -1,
  'wheel-down': 3,
  'wheel-up': -3,
  'page-down': 10,
  'page-up': -10,
  'ctrl+d': 10,
  'ctrl+u': -10,
  home: -1_000_000,
  g: -1_000_000,
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

/** Only y does what is asked, and any other key leaves everything as it is. */
export function confirmKey(view: View, mode: Confirm, key: string): Updated {
  const { effect, offer, below } = mode;
  if (offer !== undefined) return offerKey(view, mode, offer, key);
  const back: View = { ...view, mode: below };
  const isQuit = effect.kind === 'quit' && (key === 'ctrl+c' || key === 'Q');
  if (key === 'y' || key === 'Y' || isQuit) return effect.kind === 'accept' ? beginLanding(back, effect) : beginEffect(back, effect);
  return quiet({ ...back, notice: { tone: 'plain', text: 'Nothing was changed.' } });
}

/**
 * Enter means yes, as on the command line. A key without a meaning does not close the offer: the person may be typing the next task, whose
 * letters are not an answer.
 */
function offerKey(view: View, { effect, below }: Confirm, { no, since }: Offer, key: string): Updated {
  const back: View = { ...view, mode: below };
  const isCharacter = Array.from(key).length === 1;
  if (isTyping(view) && (isCharacter || key === 'enter')) {
    const text = 'You were typing when this was asked. Answer it with one key.';
    return quiet({ ...view, typedAt: isCharacter ? view.now : Number.NEGATIVE_INFINITY, notice: { tone: 'plain', text } });
  }
  switch (key) {
    case 'y':
    case 'Y':
    case 'enter':
      return beginEffect(back, effect);
    case 'n':
    case 'N':
      // The key may have been typed for the next task.
      return isTypedAhead(view, since) ? quiet({ ...view, typedAt: view.now }) : beginEffect(back, no.effect);
    case 'q':
    case 'escape':
    case 'ctrl+c':
      return quiet(back);
    default:
      return quiet(isCharacter ? { ...view, typedAt: view.now } : view);
  }
}
