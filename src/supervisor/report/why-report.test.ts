import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { aWorker } from '../../workers/samples.ts';
import { newWatch } from '../observe/watch.ts';
import { whyReport } from './why-report.ts';

test('what is known of the process dates from the last look at it, not from its start', () => {
  using scratch = scratchStore();
  const { database } = scratch.open();
  const watch = { ...newWatch('adam', 2, 1_000), pane: 'gone', paneAt: 58_000 } as const;
  expect(whyReport(aWorker(), database, watch, 60_000).evidence).toEqual([{ source: 'process', says: 'incarnation 2: gone', at: 58_000 }]);
});
