import { join } from 'node:path';
import type { Instant } from '../../base/ports.ts';
import { modifiedAt } from '../../system/files/file-stamp.ts';
import { administrativeFolder } from '../private/place.ts';

/** git holds these for moments. A repack of a large repository holds others, and for longer. */
const STALE_MS = 600_000;

const OF_ROOT = ['config.lock', 'HEAD.lock', 'packed-refs.lock', 'index.lock', 'shallow.lock'];
const OF_WORKTREE = ['index.lock', 'HEAD.lock'];

/** Locks that a git left behind when it was killed, in the root's clone and for the worktrees of these workers. */
export function staleLocks(
  root: string,
  workers: readonly string[],
  now: Instant,
): readonly { readonly path: string; readonly ageMs: number }[] {
  const paths = [
    ...OF_ROOT.map((name) => join(root, '.git', name)),
    ...workers.flatMap((worker) => OF_WORKTREE.map((name) => join(administrativeFolder(root, worker), name))),
    ...workers.map((worker) => join(root, '.git', 'refs', 'heads', 'llmc', `${worker}.lock`)),
  ];
  return paths.flatMap((path) => {
    const at = modifiedAt(path);
    return at === undefined || now - at < STALE_MS ? [] : [{ path, ageMs: now - at }];
  });
}
