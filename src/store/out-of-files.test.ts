import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchWork } from '../../test/support/scratch-work.ts';
import { systemProcesses } from '../system/processes/processes.ts';

const FIXTURE = fileURLToPath(import.meta.resolve('../../test/support/out-of-files.fixture.ts'));

test('without a file to open, the lock and the store say so at every step, and a sound state.json stays where it is', async () => {
  await using work = await scratchWork();
  const line = 'ulimit -n 64; exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"';
  const args = ['-c', line, process.execPath, FIXTURE, work.context.layout.root];
  const { stdout, stderr } = await systemProcesses.run({ file: 'sh', args });
  const { lock, store, files } = JSON.parse(stdout || stderr);
  expect(new Set(lock)).toEqual(new Set(['too_many_files', 'ok']));
  expect(new Set(store)).toEqual(new Set(['too_many_files', 'ok']));
  expect([lock.at(-1), store.at(-1), files]).toEqual(['ok', 'ok', []]);
});
