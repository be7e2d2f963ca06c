import type { Config } from '../../config/schema.ts';
import { addWorktree, removeWorktree } from '../../git/worktree/worktree.ts';
import type { WorkContext } from '../context.ts';
import { copyFiles } from './prepare-worktree.ts';
import { type FailedLine, runLines } from './shell-lines.ts';

/** Runs the user's validation for a commit in a worktree of its own: workers keep theirs. The caller has a lock for its name. */
export async function validateApart(
  context: WorkContext,
  config: Config,
  scratch: string,
  commit: string,
): Promise<FailedLine | undefined> {
  const { git, layout } = context;
  const { setup, validate } = config.repo;
  if (validate.length === 0) return undefined;
  const at = layout.worktree(scratch);
  const remove = () => removeWorktree(git, layout.root, scratch, at);
  // A crash may have left one.
  await remove();
  await addWorktree(git, layout.root, scratch, at, commit);
  try {
    await copyFiles(context, config, at);
    return (
      (await runLines(context, config, at, setup, 'Setup', { log: layout.output(scratch, 'setup') })) ??
      (await runLines(context, config, at, validate, 'Validate', { log: layout.output(scratch, 'validate') }))
    );
  } finally {
    await remove();
  }
}
