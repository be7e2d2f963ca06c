import { LlmcError } from '../../base/error.ts';
import type { Config } from '../../config/schema.ts';
import { addWorktree, removeWorktree } from '../../git/worktree/worktree.ts';
import type { WorkContext } from '../context.ts';
import { copyFiles } from '../worktree/prepare-worktree.ts';
import { runLines } from '../worktree/shell-lines.ts';

/** Not a name that a worker can have. */
const SCRATCH = '_undo';

/** Runs the user's validation in a worktree of its own: workers keep theirs. The caller has the lock of undos. */
export async function validateRevert(context: WorkContext, config: Config, commit: string, worker: string): Promise<void> {
  const { git, layout } = context;
  const { setup, validate } = config.repo;
  if (validate.length === 0) return;
  const at = layout.worktree(SCRATCH);
  const remove = () => removeWorktree(git, layout.root, SCRATCH, at);
  // A crash may have left one.
  await remove();
  await addWorktree(git, layout.root, SCRATCH, at, commit);
  try {
    await copyFiles(context, config, at);
    const failed =
      (await runLines(context, config, at, setup, 'Setup', { log: layout.output(SCRATCH, 'setup') })) ??
      (await runLines(context, config, at, validate, 'Validate', { log: layout.output(SCRATCH, 'validate') }));
    if (failed === undefined) return;
    const problem = `"${failed.line}" failed for the revert of the work of ${worker}: ${failed.reason}. The whole output: ${failed.log}`;
    throw new LlmcError('VALIDATION_FAILED', problem, {
      hint: `Nothing has landed. The revert is the commit ${commit} in ${layout.root}.`,
      details: failed.output,
      detailsSaid: true,
    });
  } finally {
    await remove();
  }
}
