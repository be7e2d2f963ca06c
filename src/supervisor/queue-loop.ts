import { isDeepStrictEqual } from 'node:util';
import { describeError, LlmcError } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import type { Instant } from '../base/ports.ts';
import type { Config } from '../config/schema.ts';
import type { Database } from '../store/database.ts';
import { endGiven, findQueued, givenTasks, hasWaiting, noteProblem, type QueuedTask } from '../store/tables/queue.ts';
import { assign } from '../workers/assign-task.ts';
import type { WorkContext } from '../workers/context.ts';
import { decidePool, forPool, type PoolDecision } from '../workers/pool/decide-pool.ts';
import { makePoolWorker, removeHalfMade, removePoolWorker } from '../workers/pool/pool-worker.ts';
import { readPool } from '../workers/pool/read-pool.ts';
import { decideQueue, wantsNoStandIn } from '../workers/queue/decide-queue.ts';
import { readQueue } from '../workers/queue/takers.ts';
import { standing } from '../workers/status/transitions.ts';

/** How long a worker that could not be given a task is left out for it. */
const TRY_AGAIN_MS = 30_000;
/** The end of a usage limit, a new day's budget and an edit of config.toml commit nothing. */
const LOOK_AGAIN_MS = 15_000;
/** A worker that may not be removed yet, such as one with a person in its terminal, is asked about again after this. */
const ASK_AGAIN_MS = 5_000;
const SOONEST_MS = 250;

/** Gives the tasks of the queue to workers that become idle, and makes and removes the workers of the pool, until the signal. */
export class QueueLoop {
  readonly #context: WorkContext;
  /** Tasks on their way to a worker. */
  readonly #giving = new Map<number, string>();
  /** When a worker may be tried again for a task that it could not be given. */
  readonly #tryAgainAt = new Map<string, Instant>();
  /** Tasks for which a worker is being made. */
  readonly #making = new Set<number>();
  /** Workers of the pool that are being removed. */
  readonly #removing = new Set<string>();
  /** After how long the pool may remove a worker. */
  #againMs = LOOK_AGAIN_MS;
  /** The last failure of a look at the queue, reported once. */
  #said: string | undefined;
  #saidHalfMade: string | undefined;

  constructor(context: WorkContext) {
    this.#context = context;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { store } = this.#context;
    this.#dropLost();
    const underWay = new Set<Promise<void>>();
    let hasChanged = true;
    let wake = new AbortController();
    const look = () => {
      hasChanged = true;
      wake.abort();
    };
    store.onCommit(look);
    while (!signal.aborted) {
      hasChanged = false;
      wake = new AbortController();
      await this.#removeHalfMade();
      for (const begin of await this.#decide()) {
        // A task that a worker could not be given may be one for another worker at once.
        const doing = begin().finally(() => {
          underWay.delete(doing);
          look();
        });
        underWay.add(doing);
      }
      await store.until(() => hasChanged || undefined, this.#againMs, AbortSignal.any([signal, wake.signal]));
    }
    await Promise.all(underWay);
  }

  /** A worker without work does not have the task that an older copy of the database, or of the state, says it has. */
  #dropLost(): void {
    const { store, clock, say } = this.#context;
    try {
      for (const { number, given_to } of givenTasks(store.database)) {
        const worker = given_to === null ? undefined : store.state.workers[given_to];
        if (given_to === null || (worker !== undefined && standing(worker) !== 'idle')) continue;
        const summary = `task ${number}: ${given_to} does not have it any more`;
        store.commit({ worker: null, kind: 'queue', summary, rows: (database) => endGiven(database, given_to, 'dropped', clock.now()) });
      }
    } catch (error) {
      say(`The queue cannot be compared with the workers: ${describeError(error)}`);
    }
  }

  async #removeHalfMade(): Promise<void> {
    try {
      await removeHalfMade(this.#context, (task) => this.#making.has(task));
      this.#saidHalfMade = undefined;
    } catch (error) {
      const problem = `What is left of a worker that was being made cannot be removed: ${describeError(error)}`;
      if (problem !== this.#saidHalfMade) this.#context.say(problem);
      this.#saidHalfMade = problem;
    }
  }

  /** What is to be done now. A row that cannot be read must not end the supervisor, and with it the agents. */
  async #decide(): Promise<readonly Doing[]> {
    const { store, say } = this.#context;
    this.#againMs = LOOK_AGAIN_MS;
    try {
      // This runs after every change, and a queue may be long. Most of the time no task waits or no worker is idle, so check that first.
      const mayDo = hasWaiting(store.database) || this.#hasPool();
      // While config.toml cannot be read at all, nothing is given.
      const config = mayDo ? await this.#context.config().catch(() => undefined) : undefined;
      const doings = config !== undefined && (config.pool.max > 0 || this.#someoneIsIdle()) ? this.#decideNow(config) : [];
      this.#said = undefined;
      return doings;
    } catch (error) {
      const problem = `No task of the queue can be given: ${describeError(error)}`;
      if (problem !== this.#said) say(problem);
      this.#said = problem;
      return [];
    }
  }

  #someoneIsIdle(): boolean {
    const busy = new Set(this.#giving.values());
    return Object.values(this.#context.store.state.workers).some(
      ({ name, status, run }) => status === 'idle' && run === null && !busy.has(name),
    );
  }

  #hasPool(): boolean {
    return Object.values(this.#context.store.state.workers).some(({ pool }) => pool !== null);
  }

  #decideNow(config: Config): readonly Doing[] {
    const { clock, locks, namedWorkers } = this.#context;
    const queue = readQueue(this.#context, config);
    const now = clock.now();
    for (const [tried, again] of this.#tryAgainAt) if (again <= now) this.#tryAgainAt.delete(tried);
    const busy = new Set([...this.#giving.values(), ...this.#removing]);
    const tasks = queue.tasks.filter(({ number }) => !this.#giving.has(number));
    const { gives, waits } = decideQueue({
      ...queue,
      tasks,
      // A worker with a lock may become free in a moment: it is taken if no other one is. One that a start has named is not taken.
      takers: queue.takers
        .filter(({ name }) => !busy.has(name))
        .map((taker) => ({
          ...taker,
          isIdle: taker.isIdle && !namedWorkers.isNamed(taker.name),
          isReady: taker.isReady && !locks.isLocked(taker.name),
        })),
      mayTry: (task, worker) => this.#mayTry(task, worker),
    });
    for (const { worker } of gives) busy.add(worker);
    const pool = readPool(this.#context, config);
    const workers = pool.workers.map((worker) => (busy.has(worker.name) ? { ...worker, standing: 'busy' as const } : worker));
    const { makes, removes, againMs } = decidePool({ ...pool, workers }, forPool(tasks, waits));
    const next = Math.min(againMs ?? LOOK_AGAIN_MS, ...[...this.#tryAgainAt.values()].map((at) => at - now));
    this.#againMs = Math.min(LOOK_AGAIN_MS, Math.max(next, SOONEST_MS));
    return [
      ...gives.map(
        ({ task, worker }) =>
          () =>
            this.#give(task, worker),
      ),
      ...makes
        .filter(({ task }) => !this.#making.has(task.number) && this.#mayTry(task.number, POOL))
        .map((make) => () => this.#make(make)),
      ...removes.filter(({ worker }) => this.#mayTry(0, worker)).map((remove) => () => this.#remove(remove)),
    ];
  }

  #mayTry(task: number, worker: string): boolean {
    return !this.#tryAgainAt.has(pair(task, worker));
  }

  async #make({ task: { number }, agent, model }: PoolDecision['makes'][number]): Promise<void> {
    const { clock, signal } = this.#context;
    this.#making.add(number);
    try {
      await makePoolWorker(this.#context, { task: number, agent, model });
    } catch (error) {
      if (signal.aborted) return;
      this.#tryAgainAt.set(pair(number, POOL), clock.now() + TRY_AGAIN_MS);
      this.#note(number, null, `no worker could be made for it: ${describeError(error)}`);
    } finally {
      this.#making.delete(number);
    }
  }

  /** A worker that must stay is asked about again later: nothing in the state says when a person leaves its terminal. */
  async #remove({ worker, why }: PoolDecision['removes'][number]): Promise<void> {
    const { clock, signal, say } = this.#context;
    this.#removing.add(worker);
    try {
      if ((await removePoolWorker(this.#context, worker, why)) === undefined) return;
      this.#tryAgainAt.set(pair(0, worker), clock.now() + ASK_AGAIN_MS);
    } catch (error) {
      if (signal.aborted) return;
      this.#tryAgainAt.set(pair(0, worker), clock.now() + TRY_AGAIN_MS);
      say(`${worker} cannot be removed from the pool: ${describeError(error)}`);
    } finally {
      this.#removing.delete(worker);
    }
  }

  /** A task is given in the transaction that moves the worker, so it is given once, whenever llmc is killed. */
  async #give(task: QueuedTask, worker: string): Promise<void> {
    const { locks, clock, signal } = this.#context;
    const { number, prompt, expects } = task;
    this.#giving.set(number, worker);
    try {
      fault('queue:before-give');
      const anyAgent = !wantsNoStandIn(task);
      const asDecided = (database: Database) => requireUnchanged(task, findQueued(database, number));
      await locks.withLock(worker, () => assign(this.#context, worker, { prompt, expects, anyAgent, task: asDecided }));
      fault('queue:after-give');
    } catch (error) {
      // A supervisor that stops ends what it runs: that says nothing about the worker.
      if (signal.aborted || wasFaster(error)) return;
      this.#tryAgainAt.set(pair(number, worker), clock.now() + TRY_AGAIN_MS);
      this.#note(number, worker, `${worker} could not be given it: ${describeError(error)}`);
    } finally {
      this.#giving.delete(number);
    }
  }

  #note(number: number, worker: string | null, problem: string): void {
    const { store, say } = this.#context;
    try {
      const rows = (database: Database) => noteProblem(database, number, problem);
      store.commit({ worker, kind: 'queue', summary: `task ${number}: ${problem}`, rows });
    } catch (error) {
      // The disk may be full, which may also be the problem itself.
      say(`Task ${number}: ${problem}. This could not be recorded: ${describeError(error)}`);
    }
  }
}

/** Stands for a worker that is not made yet; no worker can have this name. */
const POOL = ':pool';

type Doing = () => Promise<void>;

const pair = (task: number, worker: string): string => `${task} ${worker}`;

/** Making a worktree ready takes seconds, in which a person may change the task: the worker must not get the old words. */
function requireUnchanged(decided: QueuedTask, now: QueuedTask | undefined): number {
  const { number } = decided;
  if (now !== undefined && isDeepStrictEqual(toWish(now), toWish(decided))) return number;
  throw new LlmcError('TASK_NOT_FOUND', `the task ${number} was changed meanwhile`, { hint: `llmc queue show ${number}` });
}

const toWish = ({ prompt, expects, worker, agent, model, after, state }: QueuedTask) => ({
  prompt,
  expects,
  worker,
  agent,
  model,
  after,
  state,
});

/** A start by name was faster, the worker was removed, the budget was used up, or a person canceled or changed the task: the next look sees that. */
function wasFaster(error: unknown): boolean {
  return error instanceof LlmcError && ['WORKER_BUSY', 'WORKER_NOT_FOUND', 'BUDGET_SPENT', 'TASK_NOT_FOUND'].includes(error.code);
}
