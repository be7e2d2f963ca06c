import { join } from 'node:path';
import type { Git } from '../run.ts';

/** Where git keeps what belongs to a worker. The paths are those that its own git sees, in its sandbox if it has one. */
export interface GitPlaces {
  readonly root: string;
  readonly worktree: string;
  readonly worker: string;
  /** HEAD, index and reflog of the worktree. It stays if the worktree is deleted. */
  readonly admin: string;
  /** Refs and their logs. */
  readonly common: string;
  /** Its refs are in a repository that only this worker has, and go with it. */
  readonly own: boolean;
}

export function placesOf(git: Git, { root, worktree, worker }: Pick<GitPlaces, 'root' | 'worktree' | 'worker'>): GitPlaces {
  const wall = git.walls.around(worktree);
  const common = wall?.inner(join(root, '.git')) ?? join(root, '.git');
  return { root, worktree, worker, admin: join(common, 'worktrees', worker), common, own: wall !== undefined };
}
