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
  };
}

/** Where the real `.git` of the root is inside, read-only. */
export const SHARED = 'shared';

/** The worker whose worktree, or whose administrative folder in `.git`, contains a path. */
export function workerAt(layout: Root, path: string): string | undefined {
  for (const folder of [layout.worktrees, join(layout.root, '.git', 'worktrees')]) {
    const [first = '', ...rest] = relative(folder, path).split(sep);
    if (first !== '' && first !== '..' && !rest.includes('..')) return first;
  }
  return undefined;
}
