import { describeError, LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { readCommitId } from '../../git/inspect.ts';
import { trackingRef } from '../../git/refs.ts';
import { outside } from '../../git/run.ts';
import { resetInPlace } from '../../git/worktree/reset.ts';
import type { State, Worker } from '../../store/state.ts';
import { findAnswer, markDismissed } from '../../store/tables/answers.ts';
import { cancelDeliveries, nextDelivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { commitMove } from '../status/commit-move.ts';
import { describeStatus } from '../status/status-words.ts';
import { standing } from '../status/transitions.ts';
import { saveWork } from '../worktree/save-work.ts';

export interface DismissRequest {
  readonly worker?: string | undefined;
}

export interface DismissResult {
  readonly worker: string;
  /** The number of the task that was answered. */
  readonly task: number | null;
  /** The rescue of the files or commits that it had left; null if there were none. */
  readonly rescued: string | null;
}

/**
 * A person is done with an answer: its worker is idle again, and the history keeps the answer. What the worker had left in its worktree
 * is saved first. After a crash in between, the next task of the worker saves and resets what is left.
 */
export async function dismissAnswer(context: WorkContext, request: DismissRequest): Promise<DismissResult> {
  const { name } = request.worker === undefined ? answeredWorker(context.store.state) : context.store.worker(request.worker);
  return await context.locks.withLock(name, () => dismissLocked(context, name));
}

async function dismissLocked(context: WorkContext, name: string): Promise<DismissResult> {
  const { store, git, clock } = context;
  const worker = store.worker(name);
  const id = requireAnswer(context, worker);
  await context.agents.keepWorktree(name);
  const branch = await mainBranch(context, await context.config());
  fault('dismiss:before-save');
  const saved = await saveWork(context, name, branch, 'left beside an answer');
  fault('dismiss:after-save');
  const main = await readCommitId(outside(git), worker.worktree_path, trackingRef(branch));
  commitMove(context, name, 'dismissed', {
    why: saved === undefined ? 'its answer was read' : `its answer was read, and its files are saved as ${saved.name}`,
    fields: {
      current_prompt: null,
      commit_sha: null,
      base_commit: main,
      reviewed_patch_id: null,
      attention: null,
      crash_count: 0,
    },
    besides: (_, draft) => {
      if (draft.last_reviewed_worker === name) draft.last_reviewed_worker = null;
    },
    rows: (database) => {
      markDismissed(database, id, saved?.name ?? null, clock.now());
      cancelDeliveries(database, name, { kind: 'work_accepted' }, clock.now());
    },
  });
  fault('dismiss:after-commit');
  if (saved !== undefined) await resetInPlace(git, worker.worktree_path, main, worker.branch).catch(leaveToNextTask(context, name));
  return { worker: name, task: findAnswer(store.database, id)?.number ?? null, rescued: saved?.name ?? null };
}

/** The files are saved, and the next task resets them. */
const leaveToNextTask = (context: WorkContext, name: string) => (error: unknown) =>
  context.say(`${name}: its worktree could not be reset: ${describeError(error)}`);

/** The id of the answer. Refuses a worker that has none, or that is asked more at the moment. */
function requireAnswer({ store }: WorkContext, worker: Worker): string {
  const { name, answer } = worker;
  if (standing(worker) !== 'needs_review' || answer === null) {
    const isWork = standing(worker) === 'needs_review';
    throw new LlmcError('ILLEGAL_TRANSITION', `${name} ${describeStatus(standing(worker))} and has no answer to dismiss`, {
      hint: isWork ? `llmc review ${name}; to drop the work: llmc reset ${name}` : `llmc why ${name}`,
    });
  }
  if (nextDelivery(store.database, name) !== undefined)
    throw new LlmcError('WORKER_BUSY', `a message to ${name} is on its way`, { hint: `Wait for its answer: llmc wait ${name}` });
  return answer;
}

/** The worker that `dismiss` without a name means: the one whose answer was read last, else the only one with an answer. */
function answeredWorker({ workers, last_reviewed_worker: last }: State): Worker {
  const all = Object.values(workers).filter((worker) => standing(worker) === 'needs_review' && worker.answer !== null);
  const [only] = all;
  const found = all.find(({ name }) => name === last) ?? (all.length === 1 ? only : undefined);
  if (found !== undefined) return found;
  if (only === undefined) throw new LlmcError('NOTHING_TO_REVIEW', 'no worker has an answer to dismiss', { hint: 'llmc status' });
  throw new LlmcError('INVALID_ARGUMENT', `several workers have an answer: ${all.map(({ name }) => name).join(', ')}`, {
    hint: `Name one: llmc dismiss ${only.name}`,
  });
}
