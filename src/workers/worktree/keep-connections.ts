import { describeError } from '../../base/error.ts';
import { linkState } from '../../git/worktree/link.ts';
import { reconnect } from '../../git/worktree/worktree.ts';
import type { WorkContext } from '../context.ts';
import { recordTampering } from './tampering.ts';

/** Puts back what agents changed in their repositories and in the files that connect their worktrees with them. */
export async function keepConnections(context: WorkContext): Promise<void> {
  const { git, layout, store, locks } = context;
  await git.guard?.check();
  for (const { name, worktree_path: path } of Object.values(store.state.workers)) {
    const { kind } = linkState(layout.root, path);
    // A missing directory is made again when the worker is next used.
    if (kind === 'whole' || kind === 'missing') continue;
    // llmc itself is at work on the worktree: one that is being removed has lost its link too. The next patrol checks it.
    if (locks.isLocked(name)) continue;
    // One worker does not keep the others from their patrol: its next command says what to type.
    await locks
      .withLock(name, () => keepConnection(context, name, path))
      .catch((error: unknown) => context.say(`${name}: ${describeError(error)}`));
  }
}

async function keepConnection({ git, layout, store, say }: WorkContext, name: string, path: string): Promise<void> {
  const before = linkState(layout.root, path);
  if (before.kind === 'whole' || before.kind === 'missing' || !(await reconnect(git, layout.root, path))) return;
  if (linkState(layout.root, path).kind !== 'whole') return;
  const paths = before.kind === 'cut' ? before.files : [path];
  recordTampering(store, say, { kind: 'connection', worker: name, paths });
}
