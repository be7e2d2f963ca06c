import { toKnownError } from '../../base/known-error.ts';
import type { Begun } from '../../tui/model/effect.ts';
import type { Event } from '../../tui/model/event.ts';
import type { Shell } from '../shell.ts';
import { ViewShell } from './view-shell.ts';

/** How long a person who leaves waits for the disk. */
const LEAVING_MS = 5_000;

/** Stores drafts one after the other: a later text of the same comment must not be overtaken by an earlier one. */
export class DraftFeed {
  readonly #shellOf: (root: string) => Shell;
  readonly #dispatch: (event: Event) => void;
  #last: Promise<void> = Promise.resolve();

  constructor(shellOf: (root: string) => Shell, dispatch: (event: Event) => void) {
    this.#shellOf = shellOf;
    this.#dispatch = dispatch;
  }

  keep(effect: Extract<Begun, { kind: 'draft' }>): Promise<void> {
    this.#last = this.#last.then(() => this.#keep(effect));
    return this.#last;
  }

  /** Resolves when everything is stored, or when that takes too long. */
  async settled(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LEAVING_MS);
    await Promise.race([this.#last, promise]);
    clearTimeout(timer);
  }

  async #keep(effect: Extract<Begun, { kind: 'draft' }>): Promise<void> {
    const { root, worker, id, draft } = effect;
    const shell = new ViewShell(this.#shellOf(root).options);
    try {
      await shell.call('draft', { worker, id, draft });
      this.#dispatch({ kind: 'done', effect });
    } catch (error) {
      const { message, hint } = toKnownError(error);
      this.#dispatch({
        kind: 'failed',
        effect,
        notice: { tone: 'bad', text: message, hint: hint && shell.atRoot(hint) },
        isOutdated: false,
      });
    }
  }
}
