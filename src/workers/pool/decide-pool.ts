import type { QueuedTask } from '../../store/tables/queue.ts';
import type { QueueWait, Taker } from '../queue/decide-queue.ts';

/** A worker that a waiting task may count on, or that the pool may remove. */
export interface PoolWorker extends Pick<Taker, 'name' | 'agent' | 'model'> {
  /** The pool made it and removes it again. */
  readonly isMade: boolean;
  /** `failed`: it could not start, and has nothing to do. `called`: it waits for a person. */
  readonly standing: 'idle' | 'coming' | 'failed' | 'called' | 'busy';
  /** How long nothing has happened to it. */
  readonly idleMs: number;
}

/** What a task needs of a worker that is made for it. */
export type Fresh =
  | { readonly kind: 'worker'; readonly agent: string; readonly model: string | null }
  /** Its agent waits for a usage limit, in words. */
  | { readonly kind: 'limit'; readonly limit: string };

export interface PoolView {
  readonly max: number;
  readonly keepMs: number;
  /** Those of the pool, and any other one that takes tasks. */
  readonly workers: readonly PoolWorker[];
  /** Workers that are being made, by the task that each is made for. */
  readonly making: ReadonlyMap<number, string>;
  readonly freshFor: (task: QueuedTask) => Fresh;
}

export interface PoolDecision {
  readonly makes: readonly { readonly task: QueuedTask; readonly agent: string; readonly model: string | null }[];
  readonly removes: readonly { readonly worker: string; readonly why: string }[];
  readonly waits: ReadonlyMap<number, QueueWait>;
  /** After how long a worker may be removed, if nothing changes before; undefined without one. */
  readonly againMs: number | undefined;
}

/**
 * Which workers are made for tasks that no idle worker can take, and which are removed. A task that a worker on its way can take
 * needs no other. Each worker made counts until it is removed, so there are never more than `max`.
 */
export function decidePool(view: PoolView, tasks: readonly QueuedTask[]): PoolDecision {
  const { max, workers, making } = view;
  const made = workers.filter(({ isMade }) => isMade);
  const coming = workers.filter(({ standing }) => standing === 'coming');
  const makes: PoolDecision['makes'][number][] = [];
  const waits = new Map<number, QueueWait>();
  const claimed = new Set<string>();
  let [count, short] = [made.length + making.size, 0];
  for (const task of tasks) {
    const own = making.get(task.number);
    const comer = coming.find((worker) => !claimed.has(worker.name) && fits(task, worker));
    if (own !== undefined) waits.set(task.number, { kind: 'making', worker: own });
    else if (comer !== undefined) {
      claimed.add(comer.name);
      waits.set(task.number, { kind: 'coming', worker: comer.name });
    } else if (max > 0) {
      const fresh = view.freshFor(task);
      const failed = fresh.kind === 'worker' ? made.find((one) => one.standing === 'failed' && one.agent === fresh.agent) : undefined;
      if (fresh.kind === 'limit') waits.set(task.number, { kind: 'limit', limits: [fresh.limit] });
      // The next one would fail like this one.
      else if (failed !== undefined) waits.set(task.number, { kind: 'no_start', worker: failed.name });
      else if (count < max) {
        count += 1;
        makes.push({ task, agent: fresh.agent, model: fresh.model });
      } else {
        short += 1;
        waits.set(task.number, fullPool(made, max));
      }
    }
  }
  return { makes, waits, ...removals(view, tasks, Math.max(count - max, 0), short) };
}

/** The tasks that only another worker can take: those for any worker of the pool, and those whose agent or model no worker has. */
export function forPool(tasks: readonly QueuedTask[], waits: ReadonlyMap<number, QueueWait>): readonly QueuedTask[] {
  const kinds: readonly (QueueWait['kind'] | undefined)[] = ['pool', 'no_agent', 'no_model'];
  return tasks.filter(({ number, worker }) => worker === null && kinds.includes(waits.get(number)?.kind));
}

/** `excess`: more workers than the pool has room for. `short`: how many tasks wait for a place. */
function removals(
  { keepMs, workers, max }: PoolView,
  tasks: readonly QueuedTask[],
  excess: number,
  short: number,
): Pick<PoolDecision, 'removes' | 'againMs'> {
  const removes: { worker: string; why: string }[] = [];
  let againMs: number | undefined;
  const idle = workers.filter((worker) => worker.isMade && worker.standing === 'idle');
  for (const worker of idle.toSorted((a, b) => b.idleMs - a.idleMs)) {
    const { name, idleMs } = worker;
    const isOver = removes.length < excess;
    if (!isOver && tasks.some((task) => fits(task, worker))) continue;
    if (isOver) removes.push({ worker: name, why: `the pool has room for ${max}` });
    else if (removes.length < excess + short) removes.push({ worker: name, why: 'a task needs its place' });
    else if (idleMs >= keepMs) removes.push({ worker: name, why: 'no task waits for it' });
    else againMs = Math.min(againMs ?? keepMs, keepMs - idleMs);
  }
  return { removes, againMs };
}

function fits({ agent, model }: QueuedTask, worker: PoolWorker): boolean {
  return (agent === null || worker.agent === agent) && (model === null || worker.model === model);
}

function fullPool(made: readonly PoolWorker[], max: number): QueueWait {
  const called = made.filter(({ standing }) => standing === 'called').length;
  return { kind: 'full', working: made.length - called, called, max };
}
