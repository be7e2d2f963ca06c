import { isDeepStrictEqual } from 'node:util';
import { mirroredRuns } from '../../../src/workflow/mirror/mirror.ts';
import { rebuild } from '../../../src/workflow/mirror/rebuild.ts';
import type { Run } from '../../../src/workflow/model/run.ts';
import type { RunRecords, RunStore } from '../../../src/workflow/store/ports.ts';
import { jsonOf } from './laws.ts';

/** The files of a run, in memory. A clock that is always a second later lets the mirror write at each decision. */
export class MirrorLaw {
  readonly #texts = new Map<string, string>();
  #now = 0;

  readonly #records: RunRecords;

  constructor(records: RunRecords) {
    this.#records = records;
  }

  readonly wrap = (runs: RunStore): RunStore =>
    mirroredRuns(runs, {
      records: this.#records,
      files: {
        exists: (path) => this.#texts.has(path),
        readText: (path) => this.#texts.get(path),
        makeFolder: () => undefined,
        replace: (path, text) => void this.#texts.set(path, text),
        rename: (from, to) => {
          this.#texts.set(to, this.#texts.get(from) ?? '');
          this.#texts.delete(from);
        },
        remove: (path) => void this.#texts.delete(path),
      },
      clock: { now: () => this.#later(), sleep: () => Promise.resolve() },
      folderOf: (run) => `/${run}`,
    });

  /** What the files give back is the run as it was decided on last. */
  check(run: Run): void {
    const readText = (path: string) => this.#texts.get(path);
    const names = () => [...this.#texts.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1));
    const before = rebuild({ readText, names }, `/${run.id}`, this.#now)?.before;
    // Numbers of actions go on beyond those that the files may not know.
    if (!isDeepStrictEqual(jsonOf({ ...run, counter: before?.counter ?? 0 }), before && jsonOf(before)))
      throw new Error(`the files do not give version ${run.version} back`);
  }

  #later(): number {
    this.#now += 1_000;
    return this.#now;
  }
}
