import { LlmcError } from '../../base/error.ts';
import type { OfRun, Worker } from '../../store/state.ts';
import { standing } from '../status/transitions.ts';

/** Who decides about a worker's failures: its run, while it does the run's work or nothing; else a person, as for every other worker. */
export function judgeOwner(worker: Pick<Worker, 'run' | 'status' | 'status_before_offline'>): 'run' | 'person' {
  if (worker.run === null) return 'person';
  return standing(worker) === 'idle' || worker.run.task?.kind === 'work' ? 'run' : 'person';
}

/** The id of the run's task that a worker is at; undefined between two of them. */
export function openTask(worker: Pick<Worker, 'run' | 'status' | 'status_before_offline'>): string | undefined {
  const task = worker.run?.task;
  return task?.kind === 'work' && ['working', 'needs_input', 'rejected'].includes(standing(worker)) ? task.id : undefined;
}

/** Whether a worker's session was ended on purpose while the supervisor runs. One that was woken since has none either. */
export function isAway({ run, status }: Pick<Worker, 'run' | 'status'>): boolean {
  return run !== null && status === 'offline';
}

/** The run's part of a worker's record. Refuses a worker of config.toml: a run must not touch it. */
export function requireRunWorker({ name, run }: Worker): OfRun {
  if (run !== null) return run;
  throw new LlmcError('WORKER_BUSY', `${name} does not belong to a run`, { hint: `llmc why ${name}` });
}
