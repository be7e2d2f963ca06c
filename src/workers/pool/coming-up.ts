import type { State, Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';
import { standing } from '../status/transitions.ts';

/** Longer than a session takes to open on a busy machine. */
const COMING_UP_MS = 20_000;

/** Offline, and nothing known that would keep it so: under a supervisor it is on its way up. */
export function isComingUp(worker: Worker): boolean {
  return worker.status === 'offline' && (worker.attention?.kind !== 'trouble' || standing(worker) !== 'idle');
}

/**
 * A worker added a moment ago, or a fleet just started, is offline until its sessions are open. Whoever wants
 * something of it in that moment waits instead of being sent away; without a supervisor nobody is on the way.
 */
export async function awaitComingUp(
  { store, supervised, signal }: Pick<WorkContext, 'store' | 'supervised' | 'signal'>,
  waitsFor: (state: State) => boolean,
): Promise<void> {
  if (supervised) await store.until(() => (waitsFor(store.state) ? undefined : true), COMING_UP_MS, signal);
}
