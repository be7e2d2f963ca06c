import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { readStatus } from '../../git/inspect.ts';
import { rangeBase, readWorkRange, unrelatedHistory } from '../../git/rebase/former-main.ts';
import type { Worker } from '../../store/state.ts';
import { insertResolution, openResolution, type Resolution, type ResolutionCause } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';
import { collectFormerMains, withLeftOut } from '../landing/former-mains.ts';
import type { Main } from '../landing/refresh-review.ts';
import { commitMove } from '../status/commit-move.ts';
import { advanceResolution } from './advance-resolution.ts';

export interface Conflicting {
  readonly main: Main;
  readonly cause: ResolutionCause;
  /** The files that would conflict. */
  readonly files: readonly string[];
}

/**
 * Starts a rebase that conflicts and asks the agent to resolve it. Writes the intent first: after a crash, the next pass goes on.
 * The caller has the worker's lock.
 */
export async function startResolution(context: WorkContext, name: string, { main, cause, files }: Conflicting): Promise<void> {
  const { store, clock, random, git } = context;
  const worker = store.worker(name);
  await exchange(git, context.layout.root, worker.worktree_path);
  const { head = '', changes } = await readStatus(git, worker.worktree_path);
  requireCommitted(
    worker,
    changes.filter(({ kind }) => kind !== 'untracked').map(({ path }) => path),
  );
  const range = await readWorkRange(git, worker.worktree_path, main.sha, head, collectFormerMains(context, worker, main.branch));
  const base = await rangeBase(git, worker.worktree_path, head, range);
  if (base === undefined) throw unrelatedHistory(worker.worktree_path, main.sha);
  const now = clock.now();
  const row = { id: random.id(), worker: name, cause, branch: main.branch, head, onto: main.sha, base, created_ms: now };
  commitMove(context, name, 'conflicted', {
    why: `conflicts with ${main.branch} in ${files.join(', ')}; its agent is asked to resolve that`,
    fields: {
      attention: null,
      conflicted_files: [...files],
      rebase_started_at_unix: Math.floor(now / 1_000),
      resolution_attempts: 0,
      reviewed_patch_id: null,
      ...(await withLeftOut(context, worker, range.leftOut)),
    },
    rows: (database) => insertResolution(database, row),
  });
  fault('rebase:after-intent');
  await advanceResolution(context, name);
}

/** A rebase would refuse to begin, and llmc must not commit for the agent. */
function requireCommitted({ name }: Worker, edited: readonly string[]): void {
  if (edited.length === 0) return;
  throw new LlmcError('WORKTREE_DIRTY', `${name} has uncommitted changes: ${edited.join(', ')}`, {
    hint: `Ask it to commit them: llmc message ${name} "Commit or remove the remaining changes"`,
  });
}

/** The open resolution of a worker that must have one. */
export function requireResolution({ store }: Pick<WorkContext, 'store'>, name: string): Resolution {
  const row = openResolution(store.database, name);
  if (row !== undefined) return row;
  throw new LlmcError('ILLEGAL_TRANSITION', `${name} has no rebase in progress`, { hint: `llmc why ${name}` });
}
