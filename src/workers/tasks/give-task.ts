import { fault } from '../../base/fault.ts';
import { shortId } from '../../base/short-id.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { readCommitId } from '../../git/inspect.ts';
import { outside } from '../../git/run.ts';
import type { Database } from '../../store/database.ts';
import { nameSession, type Worker } from '../../store/state.ts';
import { cancelDeliveries } from '../../store/tables/deliveries.ts';
import { abandonLandings } from '../../store/tables/landings.ts';
import { abandonResolutions } from '../../store/tables/resolutions.ts';
import { findTask, insertTask } from '../../store/tables/tasks.ts';
import { loadAgent, type WorkContext } from '../context.ts';
import { requireBudget } from '../pool/budget.ts';
import { prepareDelivery } from '../prompt/enqueue.ts';
import { taskPrompt } from '../prompt/prompts.ts';
import { endReview } from '../review/drafts.ts';
import { move } from '../status/move.ts';
import { standing } from '../status/transitions.ts';
import { copyFiles } from '../worktree/prepare-worktree.ts';
import { requireFreeSession } from './free-session.ts';
import { requireRunWorker } from './owner.ts';
import { putOnBase } from './put-on-base.ts';
import { restLocked } from './rest-worker.ts';
import type { TaskRequest } from './task-request.ts';

export interface TaskReceipt {
  /** False: it was given before. */
  readonly now: boolean;
  readonly base: string;
}

/**
 * Gives a worker of a run its next task, in place of whatever it had. Returns as soon as the task is on disk: the supervisor starts
 * the session and delivers the prompt, and what becomes of it is in the table `task_reports`. Safe to repeat.
 */
export async function giveTask(context: WorkContext, request: TaskRequest): Promise<TaskReceipt> {
  return await context.locks.withLock(request.worker, async () => {
    const known = findTask(context.store.database, request.id);
    if (known !== undefined) return { now: false, base: known.base };
    return { now: true, base: await giveLocked(context, request) };
  });
}

async function giveLocked(context: WorkContext, request: TaskRequest): Promise<string> {
  const { store, layout, git } = context;
  const { worker: name, id, expects, prompt } = request;
  const config = await context.config();
  const run = { ...requireRunWorker(store.worker(name)), ...chosenAgent(request), session: request.session };
  loadAgent(config, run.agent);
  // As for every worker, what has begun may go on.
  if (request.conversation === 'fresh') requireBudget(context, config);
  requireFreeSession(context, name, nameSession(name, run.session));
  if (!isReady(store.worker(name), run)) await restLocked(context, name, 'it gets another task', { kind: 'halted' });
  await context.agents.keepWorktree(name);
  const base = await putOnBase(context, config, request);
  await exchange(git, layout.root, store.worker(name).worktree_path);
  await copyFiles(context, config, store.worker(name).worktree_path);
  const worker = store.worker(name);
  const kind = expects.kind === 'files' ? 'artifact' : expects.kind;
  const text = taskPrompt({ ...worker, expects: kind }, layout.root, config, prompt, expects.kind === 'files' ? expects.files : []);
  const fresh = request.conversation === 'fresh';
  const delivery = prepareDelivery(context, { id, worker: name, purpose: 'task', text, freshConversation: fresh });
  const commit_sha =
    request.worktree === 'reset'
      ? null
      : await readCommitId(outside(git), worker.worktree_path).then((head) => (head === base ? null : head));
  const now = context.clock.now();
  // In a worktree that is kept, the commits that were commented on are part of the new work.
  const review = request.worktree === 'reset' ? endReview(context, name) : undefined;
  fault('task:before-commit');
  store.changeWorker(name, {
    kind: 'status',
    ...review?.said,
    summary: `${standing(worker)} → working (assigned): task given (${shortId(id)})`,
    change: (draft) => {
      if (standing(draft) !== 'idle') move(draft, 'reset', now);
      move(draft, 'assigned', now, {
        current_prompt: prompt,
        expects: kind,
        base_commit: base,
        commit_sha,
        reviewed_patch_id: null,
        attention: null,
        crash_count: 0,
        session_id: nameSession(name, run.session),
        run: { ...run, resting: false, task: { id, kind: 'work' } },
        // Nothing of it is wanted, so a session that has to start starts without it.
        ...(fresh && draft.status === 'offline' && { conversation_id: null, conversation_used: false }),
      });
    },
    rows: (database) => {
      endWhatWas(database, name, now);
      review?.rows(database);
      insertTask(database, { id, run: run.id, worker: name, kind: 'work', base, expects, created_ms: now });
      delivery.write(database);
    },
  });
  fault('task:after-commit');
  return base;
}

function chosenAgent({ agent, model }: TaskRequest): { readonly agent?: string; readonly model?: string | null } {
  return { ...(agent !== undefined && { agent }), ...(model !== undefined && { model }) };
}

/** A living session of the same agent under the same name, at its prompt. Any other is replaced. */
function isReady(
  { name, status, session_id, agent, run }: Worker,
  wanted: { agent: string; model: string | null; session: string },
): boolean {
  return status === 'idle' && session_id === nameSession(name, wanted.session) && agent === wanted.agent && run?.model === wanted.model;
}

function endWhatWas(database: Database, name: string, now: number): void {
  cancelDeliveries(database, name, { kind: 'other_task' }, now);
  abandonLandings(database, name, 'its run gave it another task', now);
  abandonResolutions(database, name, now);
}
