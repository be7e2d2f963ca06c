import { toKnownError } from '../../base/known-error.ts';
import type { Begun } from '../../tui/model/effect.ts';
import type { Event } from '../../tui/model/event.ts';
import type { Shell } from '../shell.ts';

type Caller = Pick<Shell, 'call' | 'atRoot'>;

/** The worker, its work or the root is gone: no later try can store the draft. */
const FINAL: readonly string[] = ['WORKER_NOT_FOUND', 'ROOT_NOT_FOUND', 'ILLEGAL_TRANSITION', 'WORK_CHANGED'];

/**
 * Stores the drafts of each root one after the other: a later text of the same comment must not be overtaken by an earlier one. Roots do
 * not wait for each other: the supervisor of one of them may hang.
 */
export class DraftFeed {
  readonly #shellOf: (root: string) => Caller;
  readonly #dispatch: (event: Event) => void;
  /** The end of the queue of each root. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(shellOf: (root: string) => Caller, dispatch: (event: Event) => void) {
    this.#shellOf = shellOf;
    this.#dispatch = dispatch;
  }

  keep(effect: Extract<Begun, { kind: 'draft' }>): Promise<void> {
    const last = (this.#last.get(effect.root) ?? Promise.resolve()).then(() => this.#keep(effect));
    this.#last.set(effect.root, last);
    return last;
  }

  /** Resolves when everything is stored, or when that takes too long. */
  async settled(patienceMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patienceMs);
    await Promise.race([Promise.all(this.#last.values()), promise]);
    clearTimeout(timer);
  }

  async #keep(effect: Extract<Begun, { kind: 'draft' }>): Promise<void> {
    const { root, worker, work, id, draft } = effect;
    const shell = this.#shellOf(root);
    try {
      const { is_landing: isLanding } = await shell.call('draft', { worker, work, id, draft });
      this.#dispatch({ kind: 'done', effect, isLanding });
    } catch (error) {
      const { message, hint, code } = toKnownError(error);
      this.#dispatch({
        kind: 'failed',
        effect,
        notice: { tone: 'bad', text: message, hint: hint && shell.atRoot(hint) },
        isOutdated: false,
        isFinal: FINAL.includes(code),
      });
    }
  }
}
