import type { Config } from '../../config/schema.ts';
import { addWorktree, removeWorktree } from '../../git/worktree/worktree.ts';
import type { WorkContext } from '../context.ts';
import { copyFiles } from './prepare-worktree.ts';
import { enterLike, leaveScratch } from './sandbox.ts';
import { type FailedLine, runLines } from './shell-lines.ts';

/**
 * Runs the user's validation for a commit in a worktree of its own: workers keep theirs. It runs what the worker wrote, so it has a sandbox
 * like that of the worker, if the worker has one. The caller has a lock for its name.
 */
export async function validateApart(
  context: WorkContext,
  config: Config,
  scratch: string,
  { commit, worker }: { readonly commit: string; readonly worker: string },
): Promise<FailedLine | undefined> {
  const { git, layout, store } = context;
  const { setup, validate } = config.repo;
  if (validate.length === 0) return undefined;
  const at = layout.worktree(scratch);
  const remove = async () => {
    await removeWorktree(git, layout.root, scratch, at);
    await leaveScratch(context, scratch);
  };
  // A crash may have left one.
  await remove();
  await addWorktree(git, layout.root, scratch, at, commit);
  try {
    await copyFiles(context, config, at);
    const owner = store.state.workers[worker];
    if (owner !== undefined) await enterLike(context, config, owner, scratch, process.env);
    const ground = { at, of: [worker], agent: owner?.agent };
    return (
      (await runLines(context, config, ground, setup, 'Setup', { log: layout.output(scratch, 'setup') })) ??
      (await runLines(context, config, ground, validate, 'Validate', { log: layout.output(scratch, 'validate') }))
    );
  } finally {
    await remove();
  }
}
