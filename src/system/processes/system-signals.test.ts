import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { systemSignals } from './system-signals.ts';

test('a process is alive until it is killed, and a signal to a dead one is refused', async () => {
  const child = spawn('sleep', ['300']);
  const exit = once(child, 'exit');
  const pid = child.pid ?? 0;
  expect(systemSignals.isAlive(pid)).toBe(true);
  expect(systemSignals.send(pid, 'SIGKILL')).toBe(true);
  await exit;
  expect(systemSignals.isAlive(pid)).toBe(false);
  expect(systemSignals.send(pid, 'SIGKILL')).toBe(false);
});
