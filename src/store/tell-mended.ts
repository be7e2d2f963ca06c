import type { Store } from './store.ts';

/** Into the history and to the person: what was broken was set aside, and something may be missing now. */
export function tellMended(store: Store, say: (line: string) => void): void {
  for (const summary of store.mended) {
    store.commit({ worker: null, kind: 'repair', summary });
    say(summary);
  }
}
