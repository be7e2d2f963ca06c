import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../src/base/ports.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { type Layout, makeLayout } from '../../src/store/layout.ts';
import { inOwnPlaces, type State } from '../../src/store/state.ts';
import { writeStateFile } from '../../src/store/state-file.ts';
import { Store } from '../../src/store/store.ts';
import { aState, aWorker } from '../../src/workers/samples.ts';
import { scratchFolder } from '../repo/scratch.ts';

/** A clock that stands still until it is set. */
interface SetClock extends Clock {
  set(now: number): void;
}

function setClock(start = 1_700_000_000_000): SetClock {
  let now = start;
  return {
    now: () => now,
    sleep: () => Promise.reject(new Error('nobody sleeps on this clock')),
    set: (next) => {
      now = next;
    },
  };
}

/** The folders of a root with one idle worker named adam, and no git. */
export interface ScratchStore extends Disposable {
  readonly layout: Layout;
  readonly clock: SetClock;
  open(): Store;
}

export function scratchStore(state: State | null = aState(aWorker())): ScratchStore {
  const scratch = scratchFolder();
  const layout = makeLayout(join(scratch.path, 'root'));
  for (const folder of [layout.run, layout.logs, dirname(layout.apiSocket)]) mkdirSync(folder, { recursive: true });
  if (state !== null) writeStateFile(layout, inOwnPlaces(state, layout.worktree));
  const clock = setClock();
  const open: Store[] = [];
  return {
    layout,
    clock,
    open() {
      const store = new Store(layout, clock);
      open.push(store);
      return store;
    },
    [Symbol.dispose]() {
      for (const store of open) if (store.database.isOpen) store[Symbol.dispose]();
      scratch[Symbol.dispose]();
    },
  };
}

export function scratchDatabase(): Disposable & { readonly database: Database } {
  const scratch = scratchFolder();
  const database = openDatabase(join(scratch.path, 'llmc.db'));
  return {
    database,
    [Symbol.dispose]() {
      database.close();
      scratch[Symbol.dispose]();
    },
  };
}
