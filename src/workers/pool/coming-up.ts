import type { State, Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { standing } from '../status/transitions.ts';

/** Longer than a session takes to open, even on a busy machine. */
export const COMING_UP_MS = 20_000;

/** Whether an offline worker has no known problem, so that a supervisor is about to start it. */
export function isComingUp(worker: Worker): boolean {
  const hasTrouble = worker.attention?.kind === 'trouble';
  return worker.status === 'offline' && worker.run?.resting !== true && (!hasTrouble || standing(worker) !== 'idle');
}

/**
 * Waits for sessions that are just being opened: a new worker, or a fleet that was just started, is offline until then, and
 * a command should not fail for that. Without a supervisor, no session is going to open.
 */
export async function awaitComingUp(
  { store, supervised, signal }: Pick<WorkContext, 'store' | 'supervised' | 'signal'>,
  waitsFor: (state: State) => boolean,
): Promise<void> {
  if (supervised) await store.until(() => (waitsFor(store.state) ? undefined : true), COMING_UP_MS, signal);
}
