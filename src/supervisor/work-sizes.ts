import { changeSize } from '../git/change-size.ts';
import type { Worker } from '../store/state.ts';
import { branchOfWork } from '../workers/branch/run-base.ts';
import type { WorkContext } from '../workers/context.ts';
import { collectFormerMains } from '../workers/landing/former-mains.ts';
import { standing } from '../workers/status/transitions.ts';

/** Measures the work that waits for review: once per commit, one after the other, beside the passes. */
export class WorkSizes {
  readonly #context: WorkContext;
  readonly #onMeasured: (worker: string) => void;
  /** The commit that was measured last, or could not be: git is not asked again about it. */
  readonly #asked = new Map<string, string>();
  #last: Promise<void> = Promise.resolve();

  constructor(context: WorkContext, onMeasured: (worker: string) => void) {
    this.#context = context;
    this.#onMeasured = onMeasured;
    context.store.onCommit(() => this.#look());
    this.#look();
  }

  /** Resolves when nothing is measured any more. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #look(): void {
    for (const worker of Object.values(this.#context.store.state.workers)) {
      const { name, commit_sha: commit, work_size: size } = worker;
      if (commit === null || standing(worker) !== 'needs_review' || size?.commit === commit || this.#asked.get(name) === commit) continue;
      this.#asked.set(name, commit);
      // Ignore a failure: the size is a convenience, and a review or an accept reports what keeps git from reading the work.
      this.#last = this.#last.then(async () => await this.#measure(worker, commit).catch(() => undefined));
    }
  }

  /** From the objects in the store, which are named by their content: what an agent writes elsewhere does not count. */
  async #measure(worker: Worker, commit: string): Promise<void> {
    const { git, layout, store, signal } = this.#context;
    if (signal.aborted) return;
    const config = await this.#context.config();
    const branch = await branchOfWork(this.#context, config, worker);
    const { files, added, removed } = await changeSize(git, layout.root, branch, commit, collectFormerMains(this.#context, worker, branch));
    if (!Object.hasOwn(store.state.workers, worker.name) || store.worker(worker.name).commit_sha !== commit) return;
    store.commit({
      worker: worker.name,
      kind: 'work_size',
      summary: 'the size of the work was measured',
      silent: true,
      state: ({ workers }) => {
        const record = workers[worker.name];
        if (record !== undefined) record.work_size = { commit, insertions: added, deletions: removed, files };
      },
    });
    this.#onMeasured(worker.name);
  }
}
