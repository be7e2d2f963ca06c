import { join, relative, sep } from 'node:path';
import type { Layout } from '../store/layout.ts';

type Root = Pick<Layout, 'root' | 'worktrees' | 'worktree' | 'sandbox'>;

/** The folders of a sandboxed worker. Each is mounted by itself, so that the agent cannot replace one by a link. */
export function sandboxPlaces(layout: Pick<Layout, 'sandbox'>, worker: string) {
  const at = (name: string) => join(layout.sandbox(worker), name);
  return {
    /** Its repository. A worker without a sandbox has one too. */
    git: at('git'),
    /** The agent's own configuration, login state and conversations. */
    agent: at('agent'),
    cache: at('cache'),
    /** Which user the agent runs as. Absent in a sandbox of bubblewrap. */
    user: at('user'),
    /** Is there if the sandbox is one of bubblewrap. */
    bubblewrap: at('bubblewrap'),
  };
}

/** The worker whose worktree or sandbox contains a path. */
export function workerAt(layout: Root, path: string): string | undefined {
  for (const folder of [layout.worktrees, join(layout.root, 'sandbox')]) {
    const [first = '', ...rest] = relative(folder, path).split(sep);
    if (first !== '' && first !== '..' && !rest.includes('..')) return first;
  }
  return undefined;
}
