import { systemClock } from '../system/clock.ts';
import { waitForLock } from '../system/lock.ts';
import { systemRandom } from '../system/random.ts';
import { makeLayout } from './layout.ts';
import { Store } from './store.ts';

/** Does what a command without a supervisor does, again and again: takes the lock, opens the store, changes one number, leaves. */
const [root = '', times = '1'] = process.argv.slice(2);
const layout = makeLayout(root);
for (let turn = 0; turn < Number(times); turn += 1) {
  using lock = await waitForLock(layout.lock, 120_000, { clock: systemClock, random: systemRandom });
  if (lock === undefined) throw new Error('the lock stayed taken');
  using store = new Store(layout, systemClock);
  store.commit({
    worker: 'adam',
    kind: 'test',
    summary: `process ${process.pid}, turn ${turn}`,
    state: (draft) => {
      const worker = draft.workers.adam;
      if (worker !== undefined) worker.resolution_attempts += 1;
    },
  });
}
