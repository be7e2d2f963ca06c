import { describeError } from '../base/error.ts';
import type { WorkContext } from '../workers/context.ts';

/** Reports at once when a file appears in a folder. This only saves time: every pass reads the folders, so llmc also works on a system without watches left. */
export class FolderWatches {
  readonly #context: Pick<WorkContext, 'watchFolder' | 'say'>;
  readonly #watches = new Map<string, Disposable>();

  constructor(context: Pick<WorkContext, 'watchFolder' | 'say'>) {
    this.#context = context;
  }

  add(folder: string, onChange: (file: string | null) => void): void {
    this.remove(folder);
    try {
      this.#watches.set(folder, this.#context.watchFolder(folder, onChange));
    } catch (error) {
      this.#context.say(`Changes in ${folder} are only read at the next pass: ${describeError(error)}`);
    }
  }

  remove(folder: string): void {
    this.#watches.get(folder)?.[Symbol.dispose]();
    this.#watches.delete(folder);
  }

  removeAll(): void {
    for (const folder of [...this.#watches.keys()]) this.remove(folder);
  }
}
