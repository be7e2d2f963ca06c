import { join } from 'node:path';
import type { Layout } from '../store/layout.ts';
import type { Mount } from './bubblewrap.ts';
import { SHARED, sandboxPlaces } from './places.ts';

type Root = Pick<Layout, 'root' | 'worktree' | 'sandbox'>;

/**
 * The worktree, and a `.git` of its own in the place of the root's. The root's objects are below it, read-only.
 * The `.git` file is covered by itself: a mount point can be neither deleted nor replaced (EBUSY).
 */
export function gitMounts(layout: Root, worker: string): readonly Mount[] {
  const common = join(layout.root, '.git');
  const link = join(layout.worktree(worker), '.git');
  return [
    { kind: 'write', path: common, from: sandboxPlaces(layout, worker).git },
    { kind: 'read', path: join(common, SHARED), from: common },
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
