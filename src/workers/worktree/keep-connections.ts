import { linkState } from '../../git/worktree/link.ts';
import { reconnect } from '../../git/worktree/worktree.ts';
import type { WorkContext } from '../context.ts';
import { recordTampering } from './tampering.ts';

/** Puts back what agents changed in the root's `.git` and in the files that connect their worktrees with it. */
export async function keepConnections({ git, layout, store, say }: WorkContext): Promise<void> {
  await git.guard?.check();
  for (const { name, worktree_path: path } of Object.values(store.state.workers)) {
    const before = linkState(layout.root, path);
    // A missing directory is made again when the worker is next used.
    if (before.kind === 'whole' || before.kind === 'missing' || !(await reconnect(git, layout.root, path))) continue;
    if (linkState(layout.root, path).kind !== 'whole') continue;
    const paths = before.kind === 'cut' ? before.files : [path];
    recordTampering(store, say, { kind: 'connection', worker: name, paths });
  }
}
