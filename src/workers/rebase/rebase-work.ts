import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { rebaseOnto } from '../../git/rebase/rebase.ts';
import type { Status } from '../../store/statuses.ts';
import { openResolution, updateResolution } from '../../store/tables/resolutions.ts';
import { tipOfWork } from '../branch/run-base.ts';
import type { WorkContext } from '../context.ts';
import { collectFormerMains, withLeftOut } from '../landing/former-mains.ts';
import { newestMain, withoutConflict } from '../landing/refresh-review.ts';
import { validateWork } from '../landing/validate-work.ts';
import { commitMove } from '../status/commit-move.ts';
import { requireCommit } from '../status/only-answer.ts';
import { describeStatus } from '../status/status-words.ts';
import { advanceResolution } from './advance-resolution.ts';
import { giveBack } from './give-back.ts';
import { requireResolution, startResolution } from './start-resolution.ts';

export interface RebaseRequest {
  readonly worker: string;
  /** Give up the resolution that is in progress. */
  readonly abort?: boolean | undefined;
}

export interface RebaseResult {
  readonly worker: string;
  /** The main branch, or the one that the worker's run lands on. */
  readonly branch: string;
  readonly outcome: 'up_to_date' | 'rebased' | 'resolving' | 'resolved' | 'aborted';
  readonly status: Status;
  /** The files that conflict, or conflicted. */
  readonly files: readonly string[];
}

const REBASABLE: readonly Status[] = ['needs_review', 'needs_input'];

/** Puts a worker's commits on the newest main. A conflict goes to its agent. */
export async function rebaseWork(context: WorkContext, { worker: name, abort }: RebaseRequest): Promise<RebaseResult> {
  const { store, git } = context;
  return await context.locks.withLock(name, async () => {
    await context.agents.keepWorktree(name);
    const before = store.worker(name);
    if (abort === true) return await abortResolution(context, name);
    if (before.status === 'rebasing') return await askAgain(context, name);
    if (!REBASABLE.includes(before.status))
      throw new LlmcError('WORKER_BUSY', `${name} ${describeStatus(before.status)}: only finished work can be rebased`, {
        hint: `llmc why ${name}`,
      });
    requireCommit(before, 'rebase');
    const newest = await newestMain(context);
    const main = await tipOfWork(context, await context.config(), before, newest);
    const rebased = await rebaseOnto(git, before.worktree_path, main.sha, collectFormerMains(context, before, main.branch));
    const result = (outcome: RebaseResult['outcome'], files: readonly string[] = []): RebaseResult => {
      return { worker: name, branch: main.branch, outcome, status: store.worker(name).status, files };
    };
    switch (rebased.kind) {
      case 'up-to-date': {
        const fields = await withoutConflict(context, before);
        if (before.conflicted_files.length > 0 || fields.attention !== undefined)
          store.changeWorker(name, {
            kind: 'rebase',
            summary: `builds on ${main.sha.slice(0, 12)}: no conflict any more`,
            change: (worker) => Object.assign(worker, fields),
          });
        return result('up_to_date');
      }
      case 'clean': {
        const fields = {
          commit_sha: rebased.head,
          base_commit: main.sha,
          ...(await withoutConflict(context, before)),
          ...(await withLeftOut(context, before, rebased.leftOut ?? [])),
        };
        store.changeWorker(name, {
          kind: 'rebase',
          summary: `rebased onto ${main.sha.slice(0, 12)}`,
          change: (worker) => Object.assign(worker, fields),
        });
        await validate(context, name, rebased.head);
        return result('rebased');
      }
      case 'conflict':
        await startResolution(context, name, { main, cause: 'rebase', files: rebased.files });
        return result(store.worker(name).status === 'rebasing' ? 'resolving' : 'resolved', rebased.files);
      case 'dirty':
      case 'busy': {
        const what = rebased.kind === 'dirty' ? `uncommitted changes in ${rebased.files.join(', ')}` : `a ${rebased.operation} in progress`;
        throw new LlmcError('WORKTREE_DIRTY', `the worktree of ${name} has ${what}`, { hint: `llmc attach ${name}` });
      }
    }
  });
}

/** A rebase without a conflict can still break the work. */
async function validate(context: WorkContext, name: string, commit: string): Promise<void> {
  const config = await context.config();
  const failed = await validateWork(context, config, name, commit);
  if (failed === undefined) return;
  throw new LlmcError('VALIDATION_FAILED', `${name} is on the newest main, and "${failed.line}" failed there: ${failed.reason}`, {
    hint: commandLine('llmc', 'message', name, `Make this pass: ${failed.line}`),
    details: failed.output,
    detailsSaid: true,
  });
}

async function abortResolution(context: WorkContext, name: string): Promise<RebaseResult> {
  const row = requireResolution(context, name);
  // An agent in its turn would go on with a rebase that is no longer there.
  await context.agents.interrupt(name);
  if (context.store.worker(name).status !== 'rebasing') commitMove(context, name, 'conflicted', { why: 'to give up its rebase' });
  await giveBack(context, row, { reason: 'person', why: 'a person gave up the rebase' });
  return { worker: name, branch: row.branch, outcome: 'aborted', status: context.store.worker(name).status, files: row.files };
}

/** A resolution that called a person goes on from where it is. */
async function askAgain(context: WorkContext, name: string): Promise<RebaseResult> {
  const { store } = context;
  const row = requireResolution(context, name);
  if (row.called !== null) {
    store.changeWorker(name, {
      kind: 'rebase',
      summary: 'a person asked to go on with the rebase',
      change: (worker) => Object.assign(worker, { attention: null }),
      rows: (database) => goOn(database, row.id),
    });
    if (row.called !== 'stuck') await advanceResolution(context, name);
  }
  const { status, conflicted_files: files } = store.worker(name);
  return { worker: name, branch: row.branch, outcome: status === 'rebasing' ? 'resolving' : 'resolved', status, files };
}

/** The agent gets the full number of turns again. */
function goOn(database: Parameters<typeof updateResolution>[0], id: string): void {
  updateResolution(database, id, { called: null, loops: 0, failures: 0, help_ms: null });
}

/** What changes in the row when a person talks to a worker that resolves a conflict. */
export function resumeResolution(database: Parameters<typeof updateResolution>[0], worker: string): void {
  const row = openResolution(database, worker);
  if (row !== undefined) goOn(database, row.id);
}
