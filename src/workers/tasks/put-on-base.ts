import type { Config } from '../../config/schema.ts';
import { readableStatus } from '../../git/inspect.ts';
import { resetInPlace } from '../../git/worktree/reset.ts';
import { runBase } from '../branch/run-base.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { saveUnkept } from '../worktree/save-unkept.ts';
import type { TaskRequest } from './task-request.ts';

type Placed = Pick<TaskRequest, 'worker' | 'base' | 'worktree'>;

/** Puts the worktree on the commit that a task begins at, and returns that commit. What was left there is saved first. */
export async function putOnBase(context: WorkContext, config: Config, { worker: name, base, worktree }: Placed): Promise<string> {
  const { store, git } = context;
  const { worktree_path: at, branch, base_commit, run } = store.worker(name);
  if (worktree === 'keep' && base_commit !== null) return base_commit;
  const main = await mainBranch(context, config);
  const target = base ?? (await runBase(context, config, run?.id));
  const status = await readableStatus(git, at);
  if (status?.head === target && status.changes.length === 0) return target;
  const saved = await saveUnkept(context, name, main, 'left over when a run gave it another task');
  if (saved !== undefined) context.say(`The old content of the worktree is saved: llmc rescue show ${saved.name}`);
  await resetInPlace(git, at, target, branch);
  return target;
}
