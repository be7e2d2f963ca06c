import type { Agent } from '../../agents/agent.ts';
import type { Files } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { workerSettings } from '../../config/worker-settings.ts';
import type { Worker } from '../../store/state.ts';
import { agentOf, type WorkContext } from '../../workers/context.ts';

const EVERY_MS = 20;
/** A server that does not listen by then hangs, or could not start: the others do not wait for it any longer. */
const PATIENCE_MS = 5_000;

interface StartContext extends Pick<WorkContext, 'locks' | 'clock' | 'signal'> {
  readonly files: Pick<Files, 'exists'>;
}

/** Starts an agent. If its servers must not start in the same moment, the next one starts when this one listens on its socket. */
export async function startAlone(
  context: StartContext,
  config: Config,
  worker: Worker,
  socket: string | undefined,
  start: () => Promise<void>,
): Promise<void> {
  const agent = agentOf(config, worker.agent);
  // A sandboxed agent has its files to itself.
  const isAlone = agent.protocol?.startsAlone !== true || workerSettings(config, worker.name).sandbox !== 'none';
  if (socket === undefined || isAlone) return await start();
  await context.locks.withLock(startOf(agent), async () => {
    await start();
    await untilListening(context, socket);
  });
}

/** Whether a server is starting that no other process of this CLI may disturb. */
export function isStarting({ locks }: Pick<WorkContext, 'locks'>, agent: Agent): boolean {
  return locks.isLocked(startOf(agent));
}

/** The key of the lock. The blank makes it differ from the name of every worker. */
function startOf({ name }: Agent): string {
  return `start ${name}`;
}

async function untilListening({ clock, files, signal }: StartContext, socket: string): Promise<void> {
  const began = clock.now();
  while (!files.exists(socket) && Math.abs(clock.now() - began) < PATIENCE_MS && !signal.aborted)
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
}
