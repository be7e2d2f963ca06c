import { LlmcError, messageOf } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import { workerSettings } from '../config/worker-settings.ts';
import { exchange } from '../git/exchange/exchange.ts';
import { readStatus } from '../git/inspect.ts';
import { fetchMain } from '../git/source/fetch.ts';
import { resetInPlace } from '../git/worktree/reset.ts';
import type { Worker } from '../store/state.ts';
import type { WorkContext } from './context.ts';
import { mainBranch } from './landing/main-branch.ts';
import { LOCK_KEYS } from './lock-keys.ts';
import { budgetReason, requireBudget } from './pool/budget.ts';
import { awaitComingUp } from './pool/coming-up.ts';
import { findIdle, isOnTheWay, limitsOf, pickIdle, poolOf } from './pool/pick.ts';
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
  /** Wait in the queue until a worker is idle. */
  readonly queue?: boolean | undefined;
  readonly timeoutMs: number;
}

/** Gives a task to an idle worker. Resolves when the agent itself has acknowledged the prompt. */
export async function startTask(context: WorkContext, request: StartRequest): Promise<Sent> {
  const id = request.queue === true ? await waitInQueue(context, request) : await assignNow(context, request);
  return await awaitDelivery(context, id, request.timeoutMs, isLimitReason);
}

/** A start without a worker's name may get a worker with a stand-in for its agent (`anyone`). */
async function assignNow(context: WorkContext, request: StartRequest, anyone = request.worker === undefined): Promise<string> {
  const { clock, startQueue, locks } = context;
  // Before the first await: reading config.toml takes some requests longer, and a later request would pick this worker.
  using _named = request.worker === undefined ? undefined : startQueue.name(request.worker);
  const config = await context.config();
  await awaitComingUp(context, (state) => isOnTheWay(state, config, clock.now(), request.worker));
  const give = (name: string) => locks.withLock(name, () => assign(context, name, request, anyone));
  if (request.worker !== undefined) return await give(request.worker);
  // Two starts at once must not pick the same worker. A start with a name does not pick, so it can wait for its worker's lock alone.
  return await locks.withLock(LOCK_KEYS.start, async () => {
    for (;;) {
      const { name } = pickIdle(
        context.store.state,
        config,
        clock.now(),
        (worker) => !locks.isLocked(worker) && !startQueue.isNamed(worker),
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

function isSpent(error: unknown): boolean {
  return error instanceof LlmcError && error.code === 'BUDGET_SPENT';
}

/** The first request in the queue gets the first worker that becomes idle. */
async function waitInQueue(context: WorkContext, request: StartRequest): Promise<string> {
  try {
    return await takeTurn(context, request);
  } catch (error) {
    // This change also makes the requests behind it check again.
    context.store.commit({ worker: request.worker ?? null, kind: 'queue', summary: `a task left the queue: ${messageOf(error)}` });
    throw error;
  }
}

async function takeTurn(context: WorkContext, request: StartRequest): Promise<string> {
  const { store, clock, signal } = context;
  const deadline = clock.now() + request.timeoutMs;
  const config = await context.config();
  const wanted = request.worker === undefined ? undefined : store.worker(request.worker).name;
  using place = context.startQueue.join((name) =>
    wanted === undefined ? !workerSettings(config, name).excludedFromPool : name === wanted,
  );
  const latest = { config };
  const free = () => {
    // The user may raise the budget while requests wait.
    void context.config().then(
      (next) => Object.assign(latest, { config: next }),
      () => undefined,
    );
    if (budgetReason(context, latest.config) !== undefined) return undefined;
    return findIdle(store.state, config, clock.now(), wanted, place.mayTake);
  };
  const spent = budgetReason(context, config);
  if (spent !== undefined) context.say(`Waiting in the queue: ${spent}`);
  else if (free() === undefined) {
    const limits = limitsOf(poolOf(store.state, config), store.state, config, clock.now());
    context.say(`Waiting in the queue for an idle worker${limits === undefined ? '' : ` (${limits})`}`);
  }
  for (;;) {
    const worker = await store.until(free, Math.max(0, deadline - clock.now()), signal);
    // The caller may have given up in the meantime. Do not start the task then.
    if (signal.aborted)
      throw new LlmcError('SUPERVISOR_NOT_RUNNING', 'the supervisor stopped; no worker got the task', {
        hint: 'llmc up --detach',
      });
    if (worker === undefined) {
      throw new LlmcError('WAIT_TIMEOUT', 'no worker became idle in time; no worker got the task', { hint: 'llmc status' });
    }
    try {
      return await assignNow(context, { ...request, worker: worker.name }, wanted === undefined);
    } catch (error) {
      // A start outside the queue was faster, or the budget was used up meanwhile.
      if (!isBusy(error) && !isSpent(error)) throw error;
    }
  }
}

async function assign(context: WorkContext, name: string, { prompt, expects = 'commit' }: StartRequest, anyone: boolean): Promise<string> {
  const { store, layout, clock, git } = context;
  const config = await context.config();
  requireIdle(store.worker(name));
  requireBudget(context, config);
  const own = ownAgent(config, store.worker(name));
  await switchAgent(context, config, name, (anyone ? agentFor(store.state, config, store.worker(name), clock.now()) : undefined) ?? own);
  const worker = store.worker(name);
  const branch = await mainBranch(context, config);
  await context.agents.keepWorktree(name);
  const main = await fetchMain(git, layout.root, branch, config.repo.source);
  const { head, changes } = await readStatus(git, worker.worktree_path);
  if (head !== main || changes.length > 0) {
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
    why: `task given (${delivery.id.slice(0, 8)})`,
    fields: {
      ...{ current_prompt: prompt, expects, base_commit: main, commit_sha: null },
      ...{ reviewed_patch_id: null, attention: null, crash_count: 0 },
    },
    rows: delivery.write,
  });
  fault('start:after-commit');
  return delivery.id;
}

function requireIdle(worker: Worker): void {
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
