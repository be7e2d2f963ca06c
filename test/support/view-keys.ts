import type { ScratchTmux } from './scratch-tmux.ts';
import { until } from './scratch-tmux.ts';
import type { OpenView } from './view.ts';

/** What is on the screen once a key has done its work. */
export type Expected =
  /** A row like this; with the flag s, a screen. */
  | RegExp
  /** No row like this. */
  | { readonly no: RegExp }
  /** This item of the list is selected. */
  | { readonly selected: string }
  /** This tab of the pane is in front. */
  | { readonly tab: string }
  /** The pane, with its colours, differs from what it was. */
  | 'another pane'
  /** The mouse belongs to the view, or to the terminal. */
  | { readonly mouse: boolean };

/** A key as the help names it, where it is pressed, and what is seen then; or a text that is typed. */
export type Step =
  | { readonly in: string; readonly key: string; readonly then: Expected }
  | { readonly type: string; readonly then: Expected }
  | { readonly rest: string };

export const press = (place: string, key: string, then: Expected): Step => ({ in: place, key, then });
export const type = (text: string, then: Expected): Step => ({ type: text, then });
/** A key that comes right after what it is about has appeared is refused; it has appeared when this begins. */
export const rest = (what: string): Step => ({ rest: what });
const REFUSED_MS = 300;

const TMUX_NAMES: Readonly<Record<string, string>> = {
  '↓': 'Down',
  '↑': 'Up',
  '→': 'Right',
  '←': 'Left',
  tab: 'Tab',
  'shift+tab': 'BTab',
  esc: 'Escape',
  enter: 'Enter',
  space: 'Space',
  'alt+enter': 'M-Enter',
  'page-down': 'NPage',
  'page-up': 'PPage',
  home: 'Home',
  end: 'End',
};

const tmuxName = (key: string): string => TMUX_NAMES[key] ?? key.replace(/^ctrl\+/, 'C-');

/** Presses each key, and waits for what it does before the next. */
export async function perform(steps: readonly Step[], view: OpenView, outside: ScratchTmux): Promise<void> {
  const captured = async () => (await outside.tmux(['capture-pane', '-e', '-p', '-t', `=${view.name}:`])).split('\n');
  for (const step of steps) {
    if ('rest' in step) {
      const since = performance.now();
      await until(`${step.rest} to be read`, async () => performance.now() - since > REFUSED_MS);
      continue;
    }
    const before = paneIn(await captured());
    const what = 'type' in step ? `"${step.type}"` : `${step.key} in the ${step.in}`;
    const act = async () => ('type' in step ? await view.type(step.type) : await view.keys(tmuxName(step.key)));
    const isDone = async () => await holds(step.then, { view, outside, captured, before });
    await act();
    await until(what, isDone).catch(async (cause: unknown) => {
      throw new Error(`${what}: ${JSON.stringify(step.then, asText)}\n${(await view.screen()).lines.join('\n')}`, { cause });
    });
  }
}

const asText = (_: string, value: unknown): unknown => (value instanceof RegExp ? String(value) : value);

interface Seen {
  readonly view: OpenView;
  readonly outside: ScratchTmux;
  readonly captured: () => Promise<readonly string[]>;
  readonly before: string;
}

async function holds(expected: Expected, { view, outside, captured, before }: Seen): Promise<boolean> {
  if (expected === 'another pane') return paneIn(await captured()) !== before;
  const { lines } = await view.screen();
  if (expected instanceof RegExp) return expected.dotAll ? expected.test(lines.join('\n')) : lines.some((line) => expected.test(line));
  if ('no' in expected) return !lines.some((line) => expected.no.test(line));
  if ('selected' in expected) return lines.some((line) => line.startsWith(`▌${expected.selected} `));
  if ('tab' in expected) return (await captured()).some((line) => isInFront(line, expected.tab));
  const flag = await outside.tmux(['display-message', '-p', '-t', `=${view.name}:`, '#{mouse_any_flag}']);
  return (flag.trim() === '1') === expected.mouse;
}

/** The other tabs are dim. */
function isInFront(line: string, tab: string): boolean {
  const plain = line.replaceAll('\u001b[39m', '').replaceAll('\u001b[49m', '');
  return / screen .* log /.test(plain) && new RegExp(`;[47]m ${tab} |\\[[47]m ${tab} `).test(plain);
}

/** The pane below the list, from its tabs to the notice; or what covers the list and the pane. */
function paneIn(lines: readonly string[]): string {
  const tabs = lines.findIndex((line) => / screen .* log /.test(line));
  return lines.slice(tabs < 0 ? 2 : tabs, -4).join('\n');
}
