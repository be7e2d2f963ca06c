import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { until } from '../../../test/support/scratch-tmux.ts';
import { endStrays, processesWith } from './strays.ts';

test.runIf(process.platform === 'linux')('a process is found by what it inherited, also when its parent has ended, and ended', async () => {
  const [root, worker] = [`LLMC_ROOT=/tmp/strays-${process.pid}`, 'LLMC_WORKER=adam'];
  const env = { PATH: process.env.PATH ?? '', LLMC_ROOT: root.slice(10), LLMC_WORKER: 'adam' };
  const parent = spawn('sh', ['-c', 'setsid sleep 1000 & exit 0'], { env, stdio: 'ignore' });
  await new Promise((resolve) => parent.once('close', resolve));
  await until('the orphan to be there', async () => processesWith([root, worker]).length === 1);
  expect(processesWith([root, 'LLMC_WORKER=ada'])).toEqual([]);
  expect(endStrays([root, worker])).toBe(1);
  await until('it to be gone', async () => processesWith([root, worker]).length === 0);
});
