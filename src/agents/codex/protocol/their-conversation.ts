import { notifications, threadStarted } from './messages.ts';

export type ConversationSource = 'startup' | 'resume' | 'clear' | 'fork';

/** A conversation to resume: the requested one, or one that a person opened in a viewer. */
export interface WantedConversation {
  readonly id: string;
  readonly source: ConversationSource;
  readonly by: 'llmc' | 'person';
}

/**
 * The conversation that a person opened in a viewer, by clearing or forking. It becomes the worker's with its first prompt. The server
 * announces every conversation and the changes of its status to all connections (Codex 0.166.0).
 */
export class TheirConversation {
  #wanted: WantedConversation | undefined;
  /** llmc should resume it as soon as it can. */
  #due = false;
  #tried = false;

  /** `ours`: the conversation that is open. */
  notice(method: string, params: unknown, ours: string | undefined): void {
    if (method === 'thread/started') {
      const thread = threadStarted.safeParse(params).data?.thread;
      if (thread === undefined || thread.id === ours) return;
      this.forget();
      this.#wanted = { id: thread.id, source: typeof thread.forkedFromId === 'string' ? 'fork' : 'clear', by: 'person' };
    }
    const notice = method === 'thread/status/changed' ? notifications[method].safeParse(params).data : undefined;
    // Codex creates the record of a conversation after it reports the first prompt, so the first try may be too early. A short turn has
    // only one later change: its end.
    if (notice !== undefined && notice.threadId === this.#wanted?.id) this.#due ||= notice.status.type === 'active' || this.#tried;
  }

  /** The conversation to resume now. The next change of its status makes it due again, unless llmc has forgotten it by then. */
  take(): WantedConversation | undefined {
    if (!this.#due) return undefined;
    this.#due = false;
    this.#tried = true;
    return this.#wanted;
  }

  /** llmc resumed it, but stays in its own conversation for now. */
  postpone(): void {
    this.#due = true;
  }

  forget(): void {
    this.#wanted = undefined;
    this.#due = false;
    this.#tried = false;
  }
}
