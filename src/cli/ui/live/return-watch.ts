import { basename, dirname } from 'node:path';
import type { Layout } from '../../../store/layout.ts';
import { systemClock } from '../../../system/clock.ts';
import { watchFolder } from '../../../system/files/watch-folder.ts';

/** Notices a new supervisor, and what a command without one writes. */
export class ReturnWatch implements Disposable {
  readonly #watches = new DisposableStack();
  #changed = Promise.withResolvers<boolean>();

  constructor(layout: Layout) {
    this.#watch(dirname(layout.apiSocket), [layout.apiSocket]);
    this.#watch(layout.root, [layout.config, layout.state, layout.database]);
  }

  /** Whether something changed since the last call, within this time. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    const over = new AbortController();
    const sleep = systemClock.sleep(ms, AbortSignal.any([signal, over.signal])).then(
      () => false,
      () => false,
    );
    try {
      return await Promise.race([this.#changed.promise, sleep]);
    } finally {
      over.abort();
      this.#changed = Promise.withResolvers();
    }
  }

  [Symbol.dispose](): void {
    this.#watches.dispose();
  }

  #watch(folder: string, paths: readonly string[]): void {
    const names = paths.map((path) => basename(path));
    try {
      this.#watches.use(
        watchFolder(folder, (name) => {
          if (name === null || names.includes(name)) this.#changed.resolve(true);
        }),
      );
    } catch {
      // The folder is gone, or the system has no watches left: the end of the pause finds it, later.
    }
  }
}
