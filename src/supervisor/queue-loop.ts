import { isDeepStrictEqual } from 'node:util';
import { LlmcError, messageOf } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import type { Instant } from '../base/ports.ts';
import type { Database } from '../store/database.ts';
import { endGiven, findQueued, givenTasks, hasWaiting, noteProblem, type QueuedTask } from '../store/tables/queue.ts';
import type { WorkContext } from '../workers/context.ts';
import { decideQueue } from '../workers/queue/decide-queue.ts';
import { readQueue } from '../workers/queue/takers.ts';
import { assign } from '../workers/start-task.ts';
import { standing } from '../workers/status/transitions.ts';

/** How long a worker that could not be given a task is left out for it. */
const TRY_AGAIN_MS = 30_000;
/** The end of a usage limit, a new day's budget and an edit of config.toml commit nothing. */
const LOOK_AGAIN_MS = 15_000;

/** Gives the tasks of the queue to workers that become idle, until the signal. */
export class QueueLoop {
  readonly #context: WorkContext;
  /** Tasks on their way to a worker. */
  readonly #giving = new Map<number, string>();
  /** When a worker may be tried again for a task that it could not be given. */
  readonly #tryAgainAt = new Map<string, Instant>();
  /** The last failure of a look at the queue, reported once. */
  #said: string | undefined;

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
      for (const { task, worker } of await this.#decide()) {
        // A task that a worker could not be given may be one for another worker at once.
        const giving = this.#give(task, worker).finally(() => {
          underWay.delete(giving);
          look();
        });
        underWay.add(giving);
      }
      await store.until(() => hasChanged || undefined, LOOK_AGAIN_MS, AbortSignal.any([signal, wake.signal]));
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
      say(`The queue cannot be compared with the workers: ${messageOf(error)}`);
    }
  }

  /** A row that cannot be read must not end the supervisor, and with it the agents. */
  async #decide(): Promise<ReturnType<typeof decideQueue>['gives']> {
    const { store, say } = this.#context;
    try {
      // Every change asks, and a queue may be long: most of the time nobody is idle.
      const gives = this.#someoneIsIdle() && hasWaiting(store.database) ? await this.#decideNow() : [];
      this.#said = undefined;
      return gives;
    } catch (error) {
      const problem = `No task of the queue can be given: ${messageOf(error)}`;
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

  async #decideNow(): Promise<ReturnType<typeof decideQueue>['gives']> {
    const { clock, locks } = this.#context;
    // While config.toml is broken, nothing is given.
    const config = await this.#context.config().catch(() => undefined);
    if (config === undefined) return [];
    const queue = readQueue(this.#context, config);
    const now = clock.now();
    for (const [tried, again] of this.#tryAgainAt) if (again <= now) this.#tryAgainAt.delete(tried);
    const busy = new Set(this.#giving.values());
    return decideQueue({
      ...queue,
      tasks: queue.tasks.filter(({ number }) => !this.#giving.has(number)),
      // A worker with a lock may become free in a moment: it is taken if no other one is.
      takers: queue.takers
        .filter(({ name }) => !busy.has(name))
        .map((taker) => ({ ...taker, isReady: taker.isReady && !locks.isLocked(taker.name) })),
      mayTry: (task, worker) => !this.#tryAgainAt.has(pair(task, worker)),
    }).gives;
  }

  /** A task is given in the transaction that moves the worker, so it is given once, whenever llmc is killed. */
  async #give(task: QueuedTask, worker: string): Promise<void> {
    const { locks, clock, signal } = this.#context;
    const { number, prompt, expects } = task;
    this.#giving.set(number, worker);
    try {
      fault('queue:before-give');
      const anyAgent = task.worker === null && task.agent === null;
      const asDecided = (database: Database) => requireUnchanged(task, findQueued(database, number));
      await locks.withLock(worker, () => assign(this.#context, worker, { prompt, expects, anyAgent, task: asDecided }));
      fault('queue:after-give');
    } catch (error) {
      // A supervisor that stops ends what it runs: that says nothing about the worker.
      if (signal.aborted || wasFaster(error)) return;
      this.#tryAgainAt.set(pair(number, worker), clock.now() + TRY_AGAIN_MS);
      this.#note(number, worker, `${worker} could not be given it: ${messageOf(error)}`);
    } finally {
      this.#giving.delete(number);
    }
  }

  #note(number: number, worker: string, problem: string): void {
    const { store, say } = this.#context;
    try {
      const rows = (database: Database) => noteProblem(database, number, problem);
      store.commit({ worker, kind: 'queue', summary: `task ${number}: ${problem}`, rows });
    } catch (error) {
      // The disk may be full, which may also be the problem itself.
      say(`Task ${number}: ${problem}. This could not be recorded: ${messageOf(error)}`);
    }
  }
}

const pair = (task: number, worker: string): string => `${task} ${worker}`;

/** Making a worktree ready takes seconds, in which a person may change the task: the worker must not get the old words. */
function requireUnchanged(decided: QueuedTask, now: QueuedTask | undefined): number {
  const { number } = decided;
  if (now !== undefined && isDeepStrictEqual(wishOf(now), wishOf(decided))) return number;
  throw new LlmcError('TASK_NOT_FOUND', `the task ${number} was changed meanwhile`, { hint: `llmc queue show ${number}` });
}

const wishOf = ({ prompt, expects, worker, agent, after, state }: QueuedTask) => ({ prompt, expects, worker, agent, after, state });

/** A start by name was faster, the worker was removed, the budget was used up, or a person canceled or changed the task: the next look sees that. */
function wasFaster(error: unknown): boolean {
  return error instanceof LlmcError && ['WORKER_BUSY', 'WORKER_NOT_FOUND', 'BUDGET_SPENT', 'TASK_NOT_FOUND'].includes(error.code);
}
