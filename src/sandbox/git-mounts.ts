import { join } from 'node:path';
import { storeFolder } from '../git/private/place.ts';
import type { Layout } from '../store/layout.ts';
import type { Mount } from './bubblewrap.ts';
import { sandboxPlaces } from './places.ts';

type Root = Pick<Layout, 'root' | 'worktree' | 'sandbox'>;

/**
 * The worktree and its own repository, and the store, whose objects that repository borrows, read-only.
 * The `.git` file is covered by itself: a mount point can be neither deleted nor replaced (EBUSY).
 */
export function gitMounts(layout: Root, worker: string): readonly Mount[] {
  const link = join(layout.worktree(worker), '.git');
  return [
    { kind: 'read', path: storeFolder(layout.root) },
    { kind: 'write', path: sandboxPlaces(layout, worker).git },
    // It may have been deleted; git then says so.
    { kind: 'write', path: layout.worktree(worker), optional: true },
    { kind: 'read', path: link, optional: true },
  ];
}

/** The user's own settings of git: name, ignored files, filters. */
export function userGitMounts(home: string | undefined): readonly Mount[] {
  if (home === undefined) return [];
  return ['.gitconfig', '.config/git'].map((name) => ({ kind: 'read', path: join(home, name), optional: true }));
}
