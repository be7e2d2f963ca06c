import type { Store } from './store.ts';

/** Records and prints what was repaired when the store was opened: something may be missing now. */
export function reportRepairs(store: Store, say: (line: string) => void): void {
  for (const summary of store.repairs) {
    store.commit({ worker: null, kind: 'repair', summary, recorded: store.recordedRepairs.has(summary) });
    say(summary);
  }
}
