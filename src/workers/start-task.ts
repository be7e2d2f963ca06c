import { LlmcError } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import { shortId } from '../base/short-id.ts';
import { exchange } from '../git/exchange/exchange.ts';
import { readableStatus } from '../git/inspect.ts';
import { fetchMain } from '../git/source/fetch.ts';
import { resetInPlace } from '../git/worktree/reset.ts';
import type { Database } from '../store/database.ts';
import type { Worker } from '../store/state.ts';
import { insertQueued, markGiven } from '../store/tables/queue.ts';
import type { WorkContext } from './context.ts';
import { mainBranch } from './landing/main-branch.ts';
import { LOCK_KEYS } from './lock-keys.ts';
import { requireBudget } from './pool/budget.ts';
import { awaitComingUp } from './pool/coming-up.ts';
import { isOnTheWay, pickIdle } from './pool/pick.ts';
import { agentFor, ownAgent, switchAgent } from './pool/switch-agent.ts';
import { awaitDelivery, type Sent } from './prompt/await-delivery.ts';
import { isLimitReason } from './prompt/delivery-reason-text.ts';
import { prepareDelivery } from './prompt/enqueue.ts';
import { taskPrompt } from './prompt/prompts.ts';
import { commitMove } from './status/commit-move.ts';
import { predicateOf } from './status/status-words.ts';
import { copyFiles } from './worktree/prepare-worktree.ts';
import { saveWork } from './worktree/save-work.ts';

export interface StartRequest {
  readonly worker?: string | undefined;
  readonly prompt: string;
  /** What the task should leave: a commit, unless a workflow's stage says otherwise. */
  readonly expects?: Worker['expects'] | undefined;
  readonly timeoutMs: number;
}

/** Gives a task to an idle worker. Resolves when the agent itself has acknowledged the prompt. */
export async function startTask(context: WorkContext, request: StartRequest): Promise<Sent> {
  const id = await assignNow(context, request);
  return await awaitDelivery(context, id, request.timeoutMs, isLimitReason);
}

async function assignNow(context: WorkContext, request: StartRequest): Promise<string> {
  const { clock, namedWorkers, locks } = context;
  // Before the first await: reading config.toml takes some requests longer, and a later request would pick this worker.
  using _named = request.worker === undefined ? undefined : namedWorkers.name(request.worker);
  const config = await context.config();
  await awaitComingUp(context, (state) => isOnTheWay(state, config, clock.now(), request.worker));
  const { prompt, expects = 'commit' } = request;
  const task = (database: Database, to: string) =>
    insertQueued(database, {
      ...{ prompt, expects, priority: 0, worker: request.worker === undefined ? null : to, agent: null, after: [] },
      created_ms: clock.now(),
    });
  const give = (name: string) =>
    locks.withLock(name, () => assign(context, name, { prompt, expects, task, anyAgent: request.worker === undefined }));
  if (request.worker !== undefined) return await give(request.worker);
  // Two starts at once must not pick the same worker. A start with a name does not pick, so it can wait for its worker's lock alone.
  return await locks.withLock(LOCK_KEYS.start, async () => {
    for (;;) {
      const { name } = pickIdle(
        context.store.state,
        config,
        clock.now(),
        (worker) => !locks.isLocked(worker) && !namedWorkers.isNamed(worker),
      );
      try {
        return await give(name);
      } catch (error) {
        // A start that named this worker was faster. Other workers may still be idle.
        if (!isBusy(error)) throw error;
      }
    }
  });
}

function isBusy(error: unknown): boolean {
  return error instanceof LlmcError && error.code === 'WORKER_BUSY';
}

export interface Assignment {
  readonly prompt: string;
  readonly expects: Worker['expects'];
  /** Returns the number of the task; called in the transaction that gives it. */
  readonly task: (database: Database, worker: string) => number;
  /** Whether a stand-in may work in the place of the worker's own agent. */
  readonly anyAgent: boolean;
}

/** Gives a task to an idle worker; returns the delivery of its prompt. The caller has the worker's lock. */
export async function assign(context: WorkContext, name: string, { prompt, expects, task, anyAgent }: Assignment): Promise<string> {
  const { store, layout, clock, git } = context;
  const config = await context.config();
  requireIdle(store.worker(name));
  requireBudget(context, config);
  const own = ownAgent(config, store.worker(name));
  await switchAgent(context, config, name, (anyAgent ? agentFor(store.state, config, store.worker(name), clock.now()) : undefined) ?? own);
  const worker = store.worker(name);
  const branch = await mainBranch(context, config);
  await context.agents.keepWorktree(name);
  const main = await fetchMain(git, layout.root, branch, config.repo.source);
  const status = await readableStatus(git, worker.worktree_path);
  if (status?.head !== main || status.changes.length > 0) {
    const saved = await saveWork(context, name, branch, 'left over when a new task began');
    if (saved !== undefined) context.say(`The old content of the worktree is saved: llmc rescue show ${saved.name}`);
    await resetInPlace(git, worker.worktree_path, main, worker.branch);
  }
  await exchange(git, layout.root, worker.worktree_path);
  await copyFiles(context, config, worker.worktree_path);
  const text = taskPrompt({ ...worker, expects }, layout.root, config, prompt);
  const delivery = prepareDelivery(context, { worker: name, purpose: 'task', text, freshConversation: true });
  fault('start:before-commit');
  commitMove(context, name, 'assigned', {
    why: `task given (${shortId(delivery.id)})`,
    fields: {
      ...{ current_prompt: prompt, expects, base_commit: main, commit_sha: null },
      ...{ reviewed_patch_id: null, attention: null, crash_count: 0 },
    },
    rows: (database) => {
      delivery.write(database);
      const number = task(database, name);
      if (!markGiven(database, number, name, delivery.id, clock.now()))
        throw new LlmcError('TASK_NOT_FOUND', `the task ${number} does not wait any more`, { hint: `llmc queue show ${number}` });
    },
  });
  fault('start:after-commit');
  return delivery.id;
}

function requireIdle(worker: Worker): void {
  if (worker.run !== null)
    throw new LlmcError('WORKER_BUSY', `${worker.name} works for the run ${worker.run.id} alone`, { hint: `llmc show ${worker.run.id}` });
  if (worker.status === 'idle') return;
  if (worker.status === 'offline') throw new LlmcError('WORKER_BUSY', `${worker.name} is offline`, { hint: `llmc why ${worker.name}` });
  throw new LlmcError('WORKER_BUSY', `${worker.name} is not idle: it ${predicateOf(worker.status)}`, {
    hint:
      worker.status === 'needs_review'
        ? `llmc review ${worker.name}`
        : worker.status === 'rebasing'
          ? `It resolves its conflict with main. Wait for it: llmc wait ${worker.name} --for needs_review`
          : `Tell it more: llmc message ${worker.name} "…", or start over: llmc reset ${worker.name}`,
  });
}
