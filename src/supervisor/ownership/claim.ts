import { LlmcError } from '../../base/error.ts';
import type { SystemPorts } from '../../base/ports.ts';
import type { Layout } from '../../store/layout.ts';
import { makeDirectory, writePrivate } from '../../system/files/files.ts';
import { type Lock, waitForLock } from '../../system/lock.ts';
import { readOwner } from './owner-file.ts';
import { requireRoot } from './require-root.ts';

/** Every root has one owner at a time; the kernel frees the lock when the owner dies. */
export async function claimRoot(
  layout: Layout,
  what: string,
  ports: Pick<SystemPorts, 'clock' | 'random'>,
  waitMs: number,
  supervisor: { readonly version?: string; readonly service?: string | undefined } = {},
): Promise<Lock> {
  requireRoot(layout);
  makeDirectory(layout.run);
  const lock = await waitForLock(layout.lock, waitMs, ports);
  if (lock === undefined) {
    const owner = readOwner(layout.owner);
    throw new LlmcError('LOCK_BUSY', `another llmc is working in ${layout.root}${describeOwner(owner)}`, {
      // A supervisor keeps its lock for days.
      hint:
        owner?.what === 'up' ? 'Try again in a moment; or stop the supervisor and its agents first: llmc down' : 'Try again in a moment.',
    });
  }
  const since = ports.clock.now();
  const owner = { pid: process.pid, what, since_unix: Math.floor(since / 1_000), since_ms: since, ...supervisor };
  writePrivate(layout.owner, JSON.stringify(owner));
  return lock;
}

function describeOwner(owner: ReturnType<typeof readOwner>): string {
  return owner === undefined ? '' : ` ("llmc ${owner.what}", process ${owner.pid})`;
}
