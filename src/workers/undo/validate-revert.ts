import { LlmcError } from '../../base/error.ts';
import type { Config } from '../../config/schema.ts';
import type { WorkContext } from '../context.ts';
import { validateApart } from '../worktree/validate-apart.ts';

/** Not a name that a worker can have. */
const SCRATCH = '_undo';

/** Runs the user's validation for a revert. The caller has the lock of undos. */
export async function validateRevert(context: WorkContext, config: Config, commit: string, worker: string): Promise<void> {
  const failed = await validateApart(context, config, SCRATCH, { commit, worker });
  if (failed === undefined) return;
  const problem = `"${failed.line}" failed for the revert of the work of ${worker}: ${failed.reason}. The whole output: ${failed.log}`;
  throw new LlmcError('VALIDATION_FAILED', problem, {
    hint: `Nothing has landed. The revert is the commit ${commit} in ${context.layout.root}.`,
    details: failed.output,
    detailsSaid: true,
  });
}
