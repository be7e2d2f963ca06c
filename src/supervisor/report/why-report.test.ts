import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { aWorker } from '../../workers/samples.ts';
import { aTmuxWatch, aWatch } from '../samples.ts';
import { whyReport } from './why-report.ts';

test('the evidence of the process has the time of the last observation, not of its start', () => {
  using scratch = scratchStore();
  const { database } = scratch.open();
  const watch = aWatch({ now: 1_000, incarnation: 2, tmux: aTmuxWatch('gone', { at: 58_000 }) });
  expect(whyReport(aWorker(), database, watch, 60_000).evidence).toEqual([{ source: 'process', says: 'incarnation 2: gone', at: 58_000 }]);
});
