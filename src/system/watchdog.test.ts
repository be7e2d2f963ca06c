import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FIXTURE = fileURLToPath(import.meta.resolve('./watchdog.fixture.ts'));

test.each([
  ['blocks', 'SIGKILL', 'ended by its watchdog\n'],
  ['idles', 'SIGKILL', 'ended by its watchdog\n'],
  ['feeds', null, ''],
])('a process that %s ends with %s', (how, signal, stderr) => {
  const ended = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', FIXTURE, how], { encoding: 'utf8', timeout: 60_000 });
  expect({ signal: ended.signal, stderr: ended.stderr }).toEqual({ signal, stderr });
});
