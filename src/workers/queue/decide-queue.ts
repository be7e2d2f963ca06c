import type { QueuedTask, QueueState } from '../../store/tables/queue.ts';

/** A worker, as the queue sees it. */
export interface Taker {
  readonly name: string;
  readonly inPool: boolean;
  readonly isIdle: boolean;
  /** Its own agent, also while another one stands in for it. */
  readonly agent: string;
  /** The model of that agent. */
  readonly model: string;
  /** Whether its own agent may work now. */
  readonly ownMayWork: boolean;
  /** The usage limit that its own agent waits for, in words. */
  readonly limit?: string | undefined;
  /** Whether its own agent or a fallback may work now. */
  readonly anyMayWork: boolean;
  /** Whether it runs the agent that would do the work: no restart is needed. */
  readonly isReady: boolean;
}

/** Why a task is still in the queue. */
export type QueueWait =
  | { readonly kind: 'after'; readonly tasks: readonly number[] }
  /** A task before it will not be done: only a person can say whether this one still makes sense. */
  | { readonly kind: 'lost'; readonly tasks: readonly number[] }
  /** llmc.db was restored from a copy: whether it was done since, only a person can say. */
  | { readonly kind: 'restored' }
  | { readonly kind: 'budget'; readonly why: string }
  | { readonly kind: 'no_worker'; readonly worker: string }
  | { readonly kind: 'no_agent'; readonly agent: string }
  | { readonly kind: 'no_model'; readonly model: string }
  /** The worker that it names has another agent, or another model, than the one that it names. */
  | { readonly kind: 'other_agent'; readonly worker: string; readonly agent: string }
  | { readonly kind: 'other_model'; readonly worker: string; readonly model: string }
  | { readonly kind: 'limit'; readonly limits: readonly string[] }
  | { readonly kind: 'worker'; readonly worker: string }
  | { readonly kind: 'pool' }
  /** The pool is making a worker for it, or one that can take it is starting. */
  | { readonly kind: 'making' | 'coming'; readonly worker: string }
  /** The worker that was made for it cannot start. */
  | { readonly kind: 'no_start'; readonly worker: string }
  /** The pool has as many workers as it may. `called`: those that wait for a person. */
  | { readonly kind: 'full'; readonly working: number; readonly called: number; readonly max: number };

export interface Queue {
  /** In their order. */
  readonly tasks: readonly QueuedTask[];
  /** How the tasks stand that others wait for. */
  readonly states: ReadonlyMap<number, QueueState>;
  /** The oldest first. */
  readonly takers: readonly Taker[];
  /** Why no task may begin today. */
  readonly budget: string | undefined;
  /** Whether this worker could not be given this task a moment ago. */
  readonly mayTry: (task: number, worker: string) => boolean;
}

export interface QueueDecision {
  readonly gives: readonly { readonly task: QueuedTask; readonly worker: string }[];
  readonly waits: ReadonlyMap<number, QueueWait>;
}

/** The first task that a worker can do gets it. A task for one worker keeps no other task waiting. */
export function decideQueue({ tasks, states, takers, budget, mayTry }: Queue): QueueDecision {
  const gives: { task: QueuedTask; worker: string }[] = [];
  const waits = new Map<number, QueueWait>();
  const taken = new Set<string>();
  for (const task of tasks) {
    const held = heldBack(task, states, budget);
    const able = takers.filter((taker) => mayTake(task, taker));
    const free = able.filter(({ name, isIdle }) => isIdle && !taken.has(name));
    const worker = held === undefined ? choose(task, free, mayTry) : undefined;
    if (worker === undefined) waits.set(task.number, held ?? whyNone(task, takers, able, free));
    else {
      taken.add(worker);
      gives.push({ task, worker });
    }
  }
  return { gives, waits };
}

function heldBack({ number: own, after }: QueuedTask, states: Queue['states'], budget: string | undefined): QueueWait | undefined {
  if (after.includes(own)) return { kind: 'restored' };
  const open = after.filter((number) => states.get(number) !== 'done');
  const lost = open.filter((number) => !['waiting', 'given'].includes(states.get(number) ?? 'dropped'));
  if (lost.length > 0) return { kind: 'lost', tasks: lost };
  if (open.length > 0) return { kind: 'after', tasks: open };
  return budget === undefined ? undefined : { kind: 'budget', why: budget };
}

/** Whether this worker is one for the task, busy or not. A worker outside of the pool does only what names it. */
function mayTake({ worker, agent, model }: QueuedTask, taker: Taker): boolean {
  const isMeant = worker === null ? taker.inPool : taker.name === worker;
  return isMeant && (agent === null || taker.agent === agent) && (model === null || taker.model === model);
}

/** A task that names its worker, its agent or its model wants no stand-in. */
export function wantsNoStandIn({ worker, agent, model }: Pick<QueuedTask, 'worker' | 'agent' | 'model'>): boolean {
  return worker !== null || agent !== null || model !== null;
}

function mayWork(task: QueuedTask, taker: Taker): boolean {
  return wantsNoStandIn(task) ? taker.ownMayWork : taker.anyMayWork;
}

function choose(task: QueuedTask, free: readonly Taker[], mayTry: Queue['mayTry']): string | undefined {
  const ready = free.filter((taker) => mayWork(task, taker) && mayTry(task.number, taker.name));
  return (ready.find(({ isReady }) => isReady) ?? ready[0])?.name;
}

function whyNone(task: QueuedTask, takers: readonly Taker[], able: readonly Taker[], free: readonly Taker[]): QueueWait {
  const { worker, agent, model } = task;
  if (able.length === 0) {
    const named = takers.find(({ name }) => name === worker);
    if (worker !== null && named === undefined) return { kind: 'no_worker', worker };
    if (worker !== null && agent !== null && named?.agent !== agent) return { kind: 'other_agent', worker, agent };
    if (worker !== null && model !== null) return { kind: 'other_model', worker, model };
    if (agent !== null && !takers.some((taker) => taker.inPool && taker.agent === agent)) return { kind: 'no_agent', agent };
    if (model !== null) return { kind: 'no_model', model };
  }
  if (free.length > 0 && !free.some((taker) => mayWork(task, taker))) {
    const limits = free.flatMap(({ limit }) => (limit === undefined ? [] : [limit]));
    return { kind: 'limit', limits: [...new Set(limits)] };
  }
  return worker === null ? { kind: 'pool' } : { kind: 'worker', worker };
}
