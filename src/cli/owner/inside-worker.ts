import { insideWorkerError } from '../../supervisor/api/inside-worker-error.ts';
import { type Inside, sessionAbove } from '../../terminal/session-above.ts';
import type { Shell } from '../shell.ts';

/**
 * Whether this command runs inside a worker: by its environment, or because it runs in the session of a worker of this root.
 * Undefined for a person, and if `allow_agents_to_decide` is set. A running supervisor checks its callers itself.
 */
export async function restrictedTo(shell: Shell): Promise<Inside | undefined> {
  const named = process.env.LLMC_WORKER;
  const inside = named ? { worker: named } : sessionAbove(process.pid, shell.layout);
  if (inside === undefined) return undefined;
  // Only inside a worker: the schema takes longer to load than most commands run.
  const { loadConfig } = await import('../../config/load.ts');
  const allowed = await loadConfig(shell.root).then(
    (config) => config.defaults.allowAgentsToDecide,
    () => false,
  );
  return allowed ? undefined : inside;
}

/** Refuses a command that decides on work if an agent runs it, unless `allow_agents_to_decide` is set. */
export async function refuseInsideWorker(verb: string, shell: Shell): Promise<void> {
  const inside = await restrictedTo(shell);
  if (inside !== undefined) throw insideWorkerError(verb, inside);
}
