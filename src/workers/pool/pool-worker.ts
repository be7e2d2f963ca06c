import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { isOfPool } from '../../config/worker-settings.ts';
import { nameSession } from '../../store/state.ts';
import { nextState } from '../../store/tables/deliveries.ts';
import { listKeptDrafts } from '../../store/tables/drafts.ts';
import { openLandings } from '../../store/tables/landings.ts';
import { forgetMaking, insertMaking, workersInMaking } from '../../store/tables/pool-making.ts';
import { hasTask } from '../../store/tables/queue.ts';
import { loadAgent, type WorkContext } from '../context.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import { registerWorker } from '../register-worker.ts';
import { requireFreeSession } from '../tasks/free-session.ts';
import { leftWorktrees, removeLeftWorktree } from '../worktree/left-worktrees.ts';
import { makeWorktree } from '../worktree/make-worktree.ts';
import { forgetWorker, saveAndRemoveWorktree } from '../worktree/remove-worker.ts';
import { missingAgent } from './missing-agent.ts';
import { freeName } from './worker-names.ts';

export interface PoolWorkerRequest {
  /** The number of the task that it is made for. */
  readonly task: number;
  readonly agent: string;
  /** Null: the model of the configuration. */
  readonly model: string | null;
}

/**
 * Makes a worker of the pool: a worktree, a branch and a record, without an entry in config.toml. Its name is written down first: a
 * supervisor that starts after a kill removes what has no worker.
 */
export async function makePoolWorker(context: WorkContext, { task, agent, model }: PoolWorkerRequest): Promise<string> {
  const { store, locks } = context;
  const config = await context.config();
  loadAgent(config, agent);
  const missing = missingAgent(config, agent);
  if (missing !== undefined) throw new LlmcError('AGENT_NOT_FOUND', missing, { hint: 'llmc doctor' });
  const name = await locks.withLock(LOCK_KEYS.pool, async () => {
    const free = await freeName(context, config);
    const rows = (database: WorkContext['store']['database']) => insertMaking(database, { worker: free, task, agent, model });
    store.commit({ worker: null, kind: 'pool', summary: `${free} is being made for task ${task}`, rows });
    return free;
  });
  fault('pool:after-intent');
  try {
    await locks.withLock(name, async () => {
      requireFreeSession(context, name, nameSession(name));
      await makeWorktree(context, config, name, (worktree_path) => {
        fault('pool:before-record');
        registerWorker(context, {
          name,
          worktree_path,
          agent,
          summary: `made for task ${task} with agent ${agent}`,
          made: { pool: { agent, model } },
          rows: (database) => forgetMaking(database, name),
        });
      });
    });
  } catch (error) {
    endMaking(context, name, `${name} was not made`);
    throw error;
  }
  fault('pool:after-record');
  return name;
}

/** Removes what a supervisor was making when it was killed. Its tasks still wait, and get a worker of another name. */
export async function removeHalfMade(context: WorkContext, isMaking: (task: number) => boolean): Promise<void> {
  for (const { worker, task } of workersInMaking(context.store.database)) {
    if (isMaking(task)) continue;
    if (leftWorktrees(context.layout, new Set(Object.keys(context.store.state.workers))).includes(worker)) {
      const removed = await removeLeftWorktree(context, worker);
      if (removed === 'in_use') continue;
    }
    endMaking(context, worker, `${worker} was not made: llmc ended meanwhile`);
  }
}

function endMaking({ store }: WorkContext, worker: string, summary: string): void {
  store.commit({ worker: null, kind: 'pool', summary, rows: (database) => forgetMaking(database, worker) });
}

/** Removes an idle worker of the pool, after saving what it left. Returns why it stays; undefined if it is gone. */
export async function removePoolWorker(context: WorkContext, name: string, why: string): Promise<string | undefined> {
  return await context.locks.withLock(name, async () => {
    if (!Object.hasOwn(context.store.state.workers, name)) return undefined;
    const worker = context.store.worker(name);
    if (!isOfPool(await context.config(), worker)) return 'a person has added it to config.toml';
    const kept = whyKept(context, name) ?? (await context.agents.whyNotAlone(name));
    if (kept !== undefined) return kept;
    const rescued = await saveAndRemoveWorktree(context, name, `removed from the pool: ${why}`);
    fault('pool:before-forget');
    forgetWorker(context, name, rescued, { kind: 'halted' });
    return undefined;
  });
}

/** What would be lost or disturbed if this worker was removed now. */
function whyKept({ store, namedWorkers }: WorkContext, name: string): string | undefined {
  const { status, attention, answer } = store.worker(name);
  if (status !== 'idle') return `it is ${status}`;
  if (attention !== null) return 'it calls a person';
  if (answer !== null) return 'its answer is not dismissed';
  if (namedWorkers.isNamed(name)) return 'a task names it';
  if (hasTask(store.database, name)) return 'it has a task';
  if (nextState(store.database, name) !== undefined) return 'a prompt waits for it';
  if (listKeptDrafts(store.database, name).length > 0) return 'a person has written about its work';
  if (openLandings(store.database).some(({ worker }) => worker === name)) return 'its work is landing';
  return undefined;
}
