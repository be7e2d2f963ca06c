import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { walkLineage } from './lineage.ts';

const pidsAbove = (pid: number) => [...walkLineage(pid)].map((relative) => (relative === 'too many' ? relative : relative.pid));

/** A shell in a session of its own that prints the id of a process it started, and ends with the block. */
async function shell(script: string) {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const leader = child.pid ?? 0;
  return {
    leader,
    started: Number(String(line)),
    [Symbol.dispose]: () => {
      process.kill(-leader, 'SIGKILL');
    },
  };
}

test('a process has its parents above it', async () => {
  using child = await shell('sleep 600 & echo $!; wait');
  expect(pidsAbove(child.started)).toEqual(expect.arrayContaining([child.started, child.leader, process.pid]));
});

test('an orphan has the leader of its session above it', async () => {
  // The id is printed after the inner shell has ended.
  using child = await shell('orphan=$(sh -c "sleep 600 >/dev/null & echo \\$!"); echo $orphan; exec sleep 600');
  expect(pidsAbove(child.started)).toEqual(expect.arrayContaining([child.leader, process.pid]));
});

test.each([0, 1, 2 ** 22 + 1])('process %i, which is not there or the first of all, has nothing above it', (pid) => {
  expect(pidsAbove(pid)).toEqual([]);
});
