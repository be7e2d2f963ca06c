import type { Store } from './store.ts';

/** Into the history and to the person: what was broken was set aside, and something may be missing now. */
export function reportRepairs(store: Store, say: (line: string) => void): void {
  for (const summary of store.repairs) {
    store.commit({ worker: null, kind: 'repair', summary });
    say(summary);
  }
}
