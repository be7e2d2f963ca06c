import { parseRefs, refsCall } from '../../git/exchange/refs-of.ts';
import { readStatus } from '../../git/inspect.ts';
import type { Rescued } from '../../git/rescue/rescue.ts';
import { isWorktreePresent } from '../../git/worktree/worktree.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { saveWork } from './save-work.ts';

/** Where a run keeps the commits of its stages. */
const RUN_REFS = 'refs/llmc/runs';

/** Saves what a worker left, unless it is a commit that a run gave it or has kept. */
export async function saveUnkept(context: WorkContext, name: string, branch: string, reason: string): Promise<Rescued | undefined> {
  if (await isKept(context, context.store.worker(name))) return undefined;
  return await saveWork(context, name, branch, reason);
}

async function isKept({ git, layout }: WorkContext, { run, worktree_path: at, base_commit }: Worker): Promise<boolean> {
  // A removal that was interrupted leaves no worktree.
  if (run === null || !isWorktreePresent(layout.root, at)) return false;
  const { head, changes } = await readStatus(git, at);
  if (head === undefined || changes.length > 0) return false;
  return head === base_commit || [...parseRefs(await git.ok(refsCall(layout.root, RUN_REFS))).values()].includes(head);
}
