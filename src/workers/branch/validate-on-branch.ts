import { LlmcError } from '../../base/error.ts';
import type { Config } from '../../config/schema.ts';
import { readTreeId } from '../../git/inspect.ts';
import type { Landing } from '../../store/tables/landings.ts';
import { keepValidation } from '../../store/tables/validations.ts';
import type { WorkContext } from '../context.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import { validateApart } from '../worktree/validate-apart.ts';
import { anotherBranch } from './another-branch.ts';

/** Not a name that a worker can have. */
const SCRATCH = '_branch';

/** Validates work together with what its branch has besides, in a worktree of its own, and keeps the result with these files. */
export async function validateOnBranch(context: WorkContext, config: Config, { worker, branch }: Landing, commit: string): Promise<void> {
  const { git, layout, store, clock } = context;
  const { validate: lines } = config.repo;
  const began = clock.now();
  const failed = await context.locks.withLock(LOCK_KEYS.branch, () => validateApart(context, config, SCRATCH, { commit, worker }));
  if (failed !== undefined)
    throw new LlmcError(
      'VALIDATION_FAILED',
      `"${failed.line}" failed for ${worker} on ${branch}: ${failed.reason}. The whole output: ${failed.log}`,
      {
        hint: `Nothing has landed. ${anotherBranch(worker, branch)}`,
        details: failed.output,
        detailsSaid: true,
      },
    );
  const tree = await readTreeId(git, layout.root, commit);
  const now = clock.now();
  store.commit({
    worker,
    kind: 'validate',
    summary: `passed on ${branch} (tree ${tree.slice(0, 12)})`,
    rows: (database) =>
      keepValidation(database, {
        tree,
        lines: JSON.stringify(lines),
        worker,
        failed_line: null,
        reason: null,
        log: layout.output(SCRATCH, 'validate'),
        took_ms: Math.max(0, now - began),
        at_ms: now,
      }),
  });
}
