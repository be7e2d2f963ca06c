import { toKnownError } from '../../../base/known-error.ts';
import { systemClock } from '../../../system/clock.ts';
import { watchFolder } from '../../../system/files/watch-folder.ts';
import type { Event } from '../../../tui/model/event.ts';
import { followedIn } from '../../../tui/model/roots.ts';
import type { View } from '../../../tui/model/view.ts';
import { namedRoots } from '../../roots/named-roots.ts';
import { isThere, rootsFolder } from '../../roots/root-here.ts';
import type { Shell } from '../../shell.ts';
import { RunsFeed } from '../runs-feed.ts';
import { followRoot } from './follow-root.ts';

/** A root that cannot be followed is tried again after this. */
const PAUSE_MS = 5_000;

/** Follows the roots that the view shows, over one connection each. What happens to one of them does not reach the others. */
export class RootsFeed {
  readonly #shellOf: (root: string) => Shell;
  readonly #dispatch: (event: Event) => void;
  readonly #pauseMs: number;
  readonly #following = new Map<string, AbortController>();
  readonly #failure = Promise.withResolvers<never>();
  #known: readonly string[] = [];
  #watch: Disposable | undefined;

  constructor(shellOf: (root: string) => Shell, dispatch: (event: Event) => void, pauseMs = PAUSE_MS) {
    this.#pauseMs = pauseMs;
    this.#shellOf = shellOf;
    this.#dispatch = dispatch;
  }

  /** Rejects if the only root cannot be followed any more. */
  get failure(): Promise<never> {
    return this.#failure.promise;
  }

  want(view: View): void {
    this.#known = view.roots.map(({ root }) => root);
    this.#watchRecords(view.isTogether || view.mode.kind === 'roots');
    const wanted = followedIn(view).map(({ root }) => root);
    for (const root of this.#following.keys()) if (!wanted.includes(root)) this.#leave(root);
    for (const root of wanted) if (!this.#following.has(root)) void this.#follow(root);
  }

  stop(): void {
    this.#watchRecords(false);
    for (const root of this.#following.keys()) this.#leave(root);
  }

  /** While all roots are shown, one that is made meanwhile joins them. */
  #watchRecords(isWanted: boolean): void {
    if (isWanted === (this.#watch !== undefined)) return;
    this.#watch?.[Symbol.dispose]();
    this.#watch = undefined;
    if (!isWanted) return;
    try {
      this.#watch = watchFolder(rootsFolder(), () => this.#dispatch({ kind: 'known', roots: namedRoots(this.#known) }));
    } catch {
      // Nothing was ever recorded, or the system has no watches left: the next R or A reads the records.
      this.#watch = { [Symbol.dispose]: () => undefined };
    }
  }

  #leave(root: string): void {
    this.#following.get(root)?.abort();
    this.#following.delete(root);
  }

  async #follow(root: string): Promise<void> {
    const left = new AbortController();
    this.#following.set(root, left);
    const dispatch = (event: Event) => {
      if (!left.signal.aborted) this.#dispatch(event);
    };
    const shell = this.#shellOf(root);
    const runs = new RunsFeed(shell, dispatch);
    while (!left.signal.aborted) {
      try {
        for await (const followed of followRoot(shell, left.signal)) {
          dispatch({ ...followed, root });
          if (followed.kind === 'status') void runs.read(followed.report);
        }
      } catch (error) {
        if (this.#known.length < 2) return this.#failure.reject(error);
        const { message, hint } = toKnownError(error);
        const why = hint === undefined ? message : `${message} – ${shell.atRoot(hint)}`;
        dispatch(isThere(root) ? { kind: 'lost', root, why } : { kind: 'gone', root });
      }
      // What made it fail, such as a file that could not be read for a moment, may be over.
      await systemClock.sleep(this.#pauseMs, left.signal).catch(() => undefined);
    }
  }
}
