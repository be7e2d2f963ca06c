import { join } from 'node:path';
import type { Instant } from '../../base/ports.ts';
import { plainFileModifiedAt } from '../../system/files/file-stamp.ts';
import { administrativeFolder, ownRepository, storeFolder } from '../private/place.ts';

/** git holds these for moments. A repack of a large repository holds others, and for longer. */
const STALE_MS = 600_000;

const OF_REPOSITORY = ['config.lock', 'HEAD.lock', 'packed-refs.lock', 'index.lock', 'shallow.lock'];
const OF_WORKTREE = ['index.lock', 'HEAD.lock'];

/** Locks that a git left behind when it was killed, in the store and in the repositories of these workers. */
export function staleLocks(
  root: string,
  workers: readonly string[],
  now: Instant,
): readonly { readonly path: string; readonly ageMs: number }[] {
  const paths = [
    ...[storeFolder(root), ...workers.map((worker) => ownRepository(root, worker))].flatMap((repository) =>
      [...OF_REPOSITORY, ...workers.map((worker) => `refs/heads/llmc/${worker}.lock`)].map((name) => join(repository, name)),
    ),
    ...workers.flatMap((worker) => OF_WORKTREE.map((name) => join(administrativeFolder(root, worker), name))),
  ];
  return paths.flatMap((path) => {
    const at = plainFileModifiedAt(path);
    return at === undefined || now - at < STALE_MS ? [] : [{ path, ageMs: now - at }];
  });
}
