import { NOTHING_REMEMBERED, type Remembered, remember } from './conversation.ts';
import type { Fact } from './fact.ts';

/** The current conversation and its file. */
export class Memory {
  id: string;
  past: Remembered;
  private written: boolean;
  private readonly append: (id: string, facts: readonly Fact[]) => void;

  constructor(append: (id: string, facts: readonly Fact[]) => void, id: string, past: Remembered | undefined) {
    this.append = append;
    this.id = id;
    this.past = past ?? NOTHING_REMEMBERED;
    this.written = past !== undefined;
  }

  /** Facts that belong together are written at once: a prompt without its turn would be lost with the process. */
  note(...facts: readonly Fact[]): void {
    // A conversation starts with its first prompt, because before that there is nothing to resume.
    const starts = !this.written && facts.some((fact) => fact.type === 'entry' && fact.entry.kind === 'prompt');
    if (starts) this.written = true;
    if (this.written) this.append(this.id, [...(starts ? [{ type: 'start', id: this.id, used: this.past.used } as const] : []), ...facts]);
    this.past = facts.reduce(remember, this.past);
  }

  /** Starts another conversation and keeps the position in the scenario: the next prompt gets the next turn. */
  startOver(id: string): void {
    this.id = id;
    this.past = { ...NOTHING_REMEMBERED, used: this.past.used };
    this.written = false;
  }
}
