import { join, relative, sep } from 'node:path';
import type { Layout } from '../store/layout.ts';

type Root = Pick<Layout, 'root' | 'worktrees' | 'worktree' | 'sandbox'>;

/** The folders of a sandboxed worker. Each is mounted by itself, so that the agent cannot replace one by a link. */
export function sandboxPlaces(layout: Pick<Layout, 'sandbox'>, worker: string) {
  const at = (name: string) => join(layout.sandbox(worker), name);
  return {
    /** Takes the place of the root's `.git` inside. Its presence means that the worker's git state is in there. */
    git: at('git'),
    /** The agent's own configuration, login state and conversations. */
    agent: at('agent'),
    cache: at('cache'),
    /** Which user the agent runs as. Absent in a sandbox of bubblewrap. */
    user: at('user'),
  };
}

/** Where the real `.git` of the root is inside, read-only. */
export const SHARED = 'shared';

/** The worker whose worktree, administrative folder in `.git` or sandbox contains a path. */
export function workerAt(layout: Root, path: string): string | undefined {
  for (const folder of [layout.worktrees, join(layout.root, '.git', 'worktrees'), join(layout.root, 'sandbox')]) {
    const [first = '', ...rest] = relative(folder, path).split(sep);
    if (first !== '' && first !== '..' && !rest.includes('..')) return first;
  }
  return undefined;
}

/** Where a path in the root's `.git` is in the worker's own. Any other path stays as it is. */
export function inStore(layout: Pick<Layout, 'root' | 'sandbox'>, worker: string, path: string): string {
  const common = join(layout.root, '.git');
  return path === common || path.startsWith(`${common}/`) ? join(sandboxPlaces(layout, worker).git, path.slice(common.length)) : path;
}
