import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { until } from '../../../test/support/scratch-tmux.ts';
import { lookAtProcess } from './process-look.ts';

test('a process is seen with its command line, stopped, going on, and gone', async () => {
  const child = spawn('sleep', ['1000']);
  const ended = once(child, 'exit');
  const pid = child.pid ?? 0;
  try {
    await until('it to run', async () => lookAtProcess(pid)?.command === 'sleep 1000');
    expect(lookAtProcess(pid)).toEqual({ stopped: false, command: 'sleep 1000' });
    child.kill('SIGSTOP');
    await until('it to stand still', async () => lookAtProcess(pid)?.stopped === true);
    child.kill('SIGCONT');
    await until('it to go on', async () => lookAtProcess(pid)?.stopped === false);
  } finally {
    child.kill('SIGKILL');
  }
  await ended;
  await until('it to be gone', async () => lookAtProcess(pid) === undefined);
});
