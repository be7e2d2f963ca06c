import type { Answer, Dialog } from './dialog.ts';
import type { Fact } from './fact.ts';
import type { Memory } from './memory.ts';
import { type Entry, FIRST_STATE, type State } from './model.ts';

/** The content of the screen, and the open dialog. */
export class Board {
  state: State;
  private readonly memory: Memory;
  private readonly changed: () => void;
  private waiting: ((answer: Answer) => void) | undefined;

  constructor(memory: Memory, changed: () => void) {
    this.memory = memory;
    this.changed = changed;
    this.state = { ...FIRST_STATE, entries: memory.past.entries };
  }

  set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.changed();
  }

  /** `facts`: what is remembered with it. */
  show(entry: Entry, ...facts: readonly Fact[]): void {
    this.memory.note({ type: 'entry', entry }, ...facts);
    this.set({ entries: [...this.state.entries, entry] });
  }

  /** Shows a running tool; the returned function shows its result. */
  tool(title: string): (output: string) => void {
    const running: Entry = { kind: 'tool', title, output: '' };
    this.set({ entries: [...this.state.entries, running] });
    return (output) => {
      const finished: Entry = { kind: 'tool', title, output };
      this.memory.note({ type: 'entry', entry: finished });
      this.set({ entries: this.state.entries.map((entry) => (entry === running ? finished : entry)) });
    };
  }

  /** Resolves with the answer, or rejects if the signal aborts. */
  ask(dialog: Dialog, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.waiting = resolve;
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    this.set({ dialog });
    return promise;
  }

  answer(answer: Answer): void {
    this.waiting?.(answer);
    this.waiting = undefined;
  }
}
