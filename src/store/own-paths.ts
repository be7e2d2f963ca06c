import { dirname, join } from 'node:path';
import { namesIn } from '../system/files/files.ts';
import type { Layout } from './layout.ts';

/** SQLite keeps these beside a database, with the mode of the database. */
const BESIDE = ['', '-wal', '-shm', '-journal'];

/**
 * Every path below a root that llmc makes for its user alone, whether it exists or not. Not the worktrees and the clone: agents and
 * git write them with the umask of the user, and the folder above them is private.
 */
export function ownPaths(layout: Layout): readonly string[] {
  const { root, run, logs, events, worktrees, config, state, stateBackup, owner, canaries, apiSocket, tmuxSocket, deaths } = layout;
  const scratch = join(run, 'workers');
  const below = (folder: string) => namesIn(folder).map((name) => join(folder, name));
  const workers = below(scratch);
  return [
    ...[root, run, dirname(apiSocket), dirname(deaths), logs, events, worktrees, scratch],
    ...[config, state, stateBackup, owner, canaries, apiSocket, tmuxSocket, deaths],
    ...[layout.database, layout.lock, layout.canaryLock].flatMap((path) => BESIDE.map((suffix) => `${path}${suffix}`)),
    ...below(logs),
    ...below(events),
    ...workers,
    ...workers.flatMap(below),
  ];
}
