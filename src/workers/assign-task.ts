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
import { requireBudget } from './pool/budget.ts';
import { agentFor, ownAgent, switchAgent } from './pool/switch-agent.ts';
import { prepareDelivery } from './prompt/enqueue.ts';
import { taskPrompt } from './prompt/prompts.ts';
import { commitMove } from './status/commit-move.ts';
import { describeStatus } from './status/status-words.ts';
import { copyFiles } from './worktree/prepare-worktree.ts';
import { saveWork } from './worktree/save-work.ts';

export interface StartRequest {
  readonly worker?: string | undefined;
  readonly prompt: string;
  /** Only a worker with this agent, or with this model. */
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  /** Add a worker if none is idle. A name: how a person was told that it would be called. */
  readonly add?: true | string | undefined;
  /** What the task should leave: a commit, unless a workflow's stage says otherwise. */
  readonly expects?: Worker['expects'] | undefined;
  readonly timeoutMs: number;
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
      current_prompt: prompt,
      expects,
      base_commit: main,
      commit_sha: null,
      reviewed_patch_id: null,
      attention: null,
      crash_count: 0,
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

/** Writes the task down as one that a worker gets at once. */
export function newTask({ clock }: WorkContext, request: StartRequest): Assignment['task'] {
  const { worker, agent = null, model = null, prompt, expects = 'commit' } = request;
  return (database: Database, to: string) =>
    insertQueued(database, {
      prompt,
      expects,
      priority: 0,
      worker: worker === undefined ? null : to,
      agent,
      model,
      after: [],
      created_ms: clock.now(),
    });
}

function requireIdle(worker: Worker): void {
  if (worker.run !== null)
    throw new LlmcError('WORKER_BUSY', `${worker.name} works for the run ${worker.run.id} alone`, { hint: `llmc show ${worker.run.id}` });
  if (worker.status === 'idle') return;
  if (worker.status === 'offline') throw new LlmcError('WORKER_BUSY', `${worker.name} is offline`, { hint: `llmc why ${worker.name}` });
  throw new LlmcError('WORKER_BUSY', `${worker.name} is not idle: it ${describeStatus(worker.status)}`, {
    hint:
      worker.status === 'needs_review'
        ? `llmc review ${worker.name}`
        : worker.status === 'rebasing'
          ? `It resolves its conflict with main. Wait for it: llmc wait ${worker.name} --for needs_review`
          : `Tell it more: llmc message ${worker.name} "…", or start over: llmc reset ${worker.name}`,
  });
}
