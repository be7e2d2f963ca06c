import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemProcesses } from './processes/processes.ts';

const FIXTURE = fileURLToPath(import.meta.resolve('./reserve.fixture.ts'));

test('when no more files can be opened, the reserve says so, and giving it up makes room for sixteen', async () => {
  const line = 'ulimit -n 64; exec "$0" --disable-warning=ExperimentalWarning "$1"';
  const { stdout } = await systemProcesses.run({ file: 'sh', args: ['-c', line, process.execPath, FIXTURE] });
  expect(JSON.parse(stdout)).toEqual(['EMFILE', 'refused', 'EMFILE 16', 'refused', 'holds']);
});
