import { LlmcError } from '../../base/error.ts';
import type { Instant, SystemPorts } from '../../base/ports.ts';
import type { Layout } from '../../store/layout.ts';
import { clearPlaces } from '../../store/places.ts';
import { makeDirectory, writePrivate } from '../../system/files/files.ts';
import { type Lock, waitForLock } from '../../system/lock.ts';
import { readOwner } from './owner-file.ts';
import { requireRoot } from './require-root.ts';

export interface RootClaim extends Lock {
  /** What was in the way of llmc's files and folders, and is kept under another name. */
  readonly cleared: readonly string[];
}

/** Every root has one owner at a time; the kernel frees the lock when the owner dies. */
export async function claimRoot(
  layout: Layout,
  what: string,
  ports: Pick<SystemPorts, 'clock' | 'random'>,
  waitMs: number,
  supervisor: { readonly version?: string; readonly service?: string | undefined } = {},
): Promise<RootClaim> {
  requireRoot(layout);
  const forLock = clearPlaces(layout, ports.clock.now(), 'lock');
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
  try {
    return Object.assign(lock, { cleared: [...forLock, ...takeOver(layout, what, ports.clock.now(), supervisor)] });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function takeOver(layout: Layout, what: string, since: Instant, supervisor: object): readonly string[] {
  const cleared = clearPlaces(layout, since);
  const owner = { pid: process.pid, what, since_unix: Math.floor(since / 1_000), since_ms: since, ...supervisor };
  writePrivate(layout.owner, JSON.stringify(owner));
  return cleared;
}

function describeOwner(owner: ReturnType<typeof readOwner>): string {
  return owner === undefined ? '' : ` ("llmc ${owner.what}", process ${owner.pid})`;
}
