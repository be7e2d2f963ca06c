import { dirname, join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { workerNameSchema } from '../../config/worker-name.ts';
import { forgetImported } from '../../git/exchange/leave.ts';
import { trackingRef } from '../../git/refs.ts';
import { requireWhole, saveRescue } from '../../git/rescue/rescue.ts';
import { removeWorktree } from '../../git/worktree/worktree.ts';
import type { Layout } from '../../store/layout.ts';
import { nameSession } from '../../store/state.ts';
import { namesIn } from '../../system/files/files.ts';
import { readKind } from '../../system/files/no-follow.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';

/** The worktrees that no worker has, by name: llmc was killed between the worktree and the record of its worker. */
export function leftWorktrees({ worktrees }: Pick<Layout, 'worktrees'>, known: ReadonlySet<string>): readonly string[] {
  return namesIn(worktrees).filter(
    (name) => !known.has(name) && workerNameSchema.safeParse(name).success && readKind(join(worktrees, name)) === 'folder',
  );
}

/** Saves what is in such a worktree as a rescue and removes it. `in_use`: it has a worker after all, or a session that may write. */
export async function removeLeftWorktree(context: WorkContext, name: string): Promise<{ readonly rescued: string | null } | 'in_use'> {
  const { git, layout, store, clock, files } = context;
  return await context.locks.withLock(name, async () => {
    const config = await context.config();
    const known = new Set([...Object.keys(store.state.workers), ...Object.keys(config.workers)]);
    if (known.has(name)) return 'in_use';
    if (!leftWorktrees(layout, known).includes(name))
      throw new LlmcError('WORKER_NOT_FOUND', `there is no worktree ${layout.worktree(name)}`, { hint: 'llmc status' });
    const panes = await context.terminal.panes();
    if (panes === undefined || panes.some(({ session }) => session.startsWith(nameSession(name)))) return 'in_use';
    const worktree = layout.worktree(name);
    const base = trackingRef(await mainBranch(context, config));
    const saved = await saveRescue(git, { root: layout.root, worktree, worker: name, base, reason: 'no worker has it', now: clock.now() });
    requireWhole(saved, worktree);
    await removeWorktree(git, layout.root, name, worktree);
    await forgetImported(git, layout.root, name);
    for (const path of [layout.spool(name), layout.scratch(name), layout.sandbox(name), dirname(layout.agentSocket(name))])
      files.remove(path);
    return { rescued: saved?.name ?? null };
  });
}
