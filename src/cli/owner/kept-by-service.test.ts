import { afterEach, expect, test, vi } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { makeDirectory, writePrivate } from '../../system/files/files.ts';
import { aState } from '../../workers/samples.ts';
import { keptByService } from './kept-by-service.ts';

afterEach(() => vi.unstubAllEnvs());

test('a supervisor that is stopped while it waits for its turn is not kept, and starts no watchdog', async () => {
  vi.stubEnv('LLMC_SERVICE', 'llmc');
  using scratch = scratchStore(aState());
  const { layout } = scratch;
  makeDirectory(layout.run);
  writePrivate(layout.serviceStarts, JSON.stringify(Array.from({ length: 10 }, () => Date.now())));
  const stop = new AbortController();
  const kept = keptByService(layout, () => stop.abort(), stop.signal);
  expect(await kept).toBeUndefined();
});
