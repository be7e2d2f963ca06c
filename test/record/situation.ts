import type { Screen } from '../../src/terminal/screen.ts';

/** One move that leads to a situation. No move uses llmc's rules, because the recording tests them. */
export type Move =
  /** Paste, then Enter as a key of its own. */
  | { readonly send: string }
  /** Paste, and leave it in the box. */
  | { readonly type: string }
  | { readonly keys: readonly string[] }
  /** Until so many requests of the conversation reached the API. */
  | { readonly requests: number }
  /** Until the screen shows this text, which the script itself made the agent show. */
  | { readonly shows: string }
  | { readonly pauseMs: number }
  | { readonly end: 'SIGKILL' | 'by itself' };

/** A state of a CLI that llmc must recognise, and the way there. */
export interface Situation {
  readonly name: string;
  /** The folder: what the rules must read. */
  readonly expected: string;
  /** Text that is in the input box on purpose. */
  readonly box?: 'draft' | 'folded';
  readonly moves: readonly Move[];
  /** The screen never stops changing, because it has an animation. */
  readonly moving?: boolean;
  /** A dialog comes before the CLI takes input. */
  readonly dialogFirst?: boolean;
}

/** A CLI that was started for one situation. */
export interface Session extends AsyncDisposable {
  /** With the terminal's title, where the CLI says something in it. */
  screen(): Promise<Screen>;
  paste(text: string): Promise<void>;
  keys(keys: readonly string[]): Promise<void>;
  /** Requests of the conversation so far. */
  requests(): number;
  /** Resolves when it takes input, by other witnesses than the screen. */
  takesInput(): Promise<void>;
  kill(): void;
  ended(): Promise<void>;
  /** Names of this machine and this run, made neutral without moving a column. */
  neutral(line: string): string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const SIZES: readonly Size[] = [
  { width: 80, height: 24 },
  { width: 200, height: 50 },
];
