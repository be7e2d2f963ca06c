import { NOTHING_REMEMBERED, type Remembered, remember } from './conversation.ts';
import type { Fact } from './fact.ts';

/** The current conversation and its file. */
export class Memory {
  id: string;
  past: Remembered;
  private written: boolean;
  private readonly append: (id: string, fact: Fact) => void;

  constructor(append: (id: string, fact: Fact) => void, id: string, past: Remembered | undefined) {
    this.append = append;
    this.id = id;
    this.past = past ?? NOTHING_REMEMBERED;
    this.written = past !== undefined;
  }

  note(fact: Fact): void {
    // A conversation starts with its first prompt, because before that there is nothing to resume.
    if (!this.written && fact.type === 'entry' && fact.entry.kind === 'prompt') {
      this.append(this.id, { type: 'start', id: this.id, used: this.past.used });
      this.written = true;
    }
    if (this.written) this.append(this.id, fact);
    this.past = remember(this.past, fact);
  }

  /** Starts another conversation and keeps the position in the scenario: the next prompt gets the next turn. */
  startOver(id: string): void {
    this.id = id;
    this.past = { ...NOTHING_REMEMBERED, used: this.past.used };
    this.written = false;
  }
}
