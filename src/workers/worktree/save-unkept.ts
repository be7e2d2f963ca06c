import { parseRefs, refsCall } from '../../git/exchange/list-refs.ts';
import { readableStatus } from '../../git/inspect.ts';
import type { Rescued } from '../../git/rescue/rescue.ts';
import { isWorktreePresent } from '../../git/worktree/worktree.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { saveWork } from './save-work.ts';

/** Where a run keeps the commits of its stages. */
const RUN_REFS = 'refs/llmc/runs';

/** Saves what a worker left, without a commit that a run gave it or has kept. */
export async function saveUnkept(context: WorkContext, name: string, branch: string, reason: string): Promise<Rescued | undefined> {
  return await saveWork(context, name, branch, reason, await keptHead(context, context.store.worker(name)));
}

/** The commit that is checked out, if its run has it. What only the reflog knows is not a part of it. */
async function keptHead({ git, layout }: WorkContext, { run, worktree_path: at, base_commit }: Worker): Promise<string | undefined> {
  // A removal that was interrupted leaves no worktree.
  if (run === null || !isWorktreePresent(layout.root, at)) return undefined;
  const { head, changes = [] } = (await readableStatus(git, at)) ?? {};
  if (head === undefined || changes.length > 0) return undefined;
  const isKept = head === base_commit || [...parseRefs(await git.ok(refsCall(layout.root, RUN_REFS))).values()].includes(head);
  return isKept ? head : undefined;
}
