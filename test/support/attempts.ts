import type { StateChange, Store } from '../../src/store/store.ts';

/** A change that is easy to find again. */
export const attemptsTo = (attempts: number): StateChange => ({
  worker: 'adam',
  kind: 'test',
  summary: `attempts ${attempts}`,
  state: (draft) => {
    const worker = draft.workers.adam;
    if (worker !== undefined) worker.resolution_attempts = attempts;
  },
});
/** What the last of these changes was. */
export const attempts = (store: Store): number => store.worker('adam').resolution_attempts;
