import { administrativeFolder, ownRepository } from '../private/place.ts';

/** Where git keeps what belongs to a worker. */
export interface GitPlaces {
  readonly root: string;
  readonly worktree: string;
  readonly worker: string;
  /** HEAD, index and reflog of the worktree. It stays if the worktree is deleted. */
  readonly admin: string;
  /** Refs and their logs. */
  readonly common: string;
}

export function toGitPlaces({ root, worktree, worker }: Pick<GitPlaces, 'root' | 'worktree' | 'worker'>): GitPlaces {
  return { root, worktree, worker, admin: administrativeFolder(root, worker), common: ownRepository(root, worker) };
}
