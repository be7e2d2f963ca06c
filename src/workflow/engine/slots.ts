import type { LivingWorker } from '../perform/run-workers.ts';

/** A task that needs a living agent. */
export interface Candidate {
  readonly id: string;
  readonly worker: string;
}

export interface SlotsView {
  readonly maxAgents: number;
  readonly living: readonly LivingWorker[];
  /** Workers whose agents are about to come up. */
  readonly comingUp: readonly string[];
  /** In the order of the queue. */
  readonly candidates: readonly Candidate[];
}

export interface Slots {
  /** Tasks for which there is no place yet. */
  readonly waiting: readonly string[];
  /** Workers that rest now, so that a task that waits gets their place. */
  readonly toRest: readonly string[];
}

/**
 * Shares the places for agents among all runs. A worker that lives has its place; one that lives and has nothing to do, such as a
 * developer whose work is being reviewed, makes room for one that has: so a run with one place does not block itself.
 */
export function shareSlots({ maxAgents, living, comingUp, candidates }: SlotsView): Slots {
  const taken = new Set([...living.map(({ name }) => name), ...comingUp]);
  const wanted = new Set(candidates.map(({ worker }) => worker));
  const idle = living.filter(({ name, busy }) => !busy && !wanted.has(name) && !comingUp.includes(name)).map(({ name }) => name);
  const waiting: string[] = [];
  const toRest: string[] = [];
  for (const { id, worker } of candidates) {
    if (taken.has(worker)) continue;
    if (taken.size < maxAgents) {
      taken.add(worker);
      continue;
    }
    waiting.push(id);
    const other = idle.shift();
    if (other !== undefined) toRest.push(other);
  }
  return { waiting, toRest };
}
