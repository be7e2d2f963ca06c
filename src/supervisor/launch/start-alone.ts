import type { Agent } from '../../agents/agent.ts';
import type { Config } from '../../config/schema.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import type { Worker } from '../../store/state.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { launchKey } from '../../workers/lock-keys.ts';

const EVERY_MS = 20;
/** An agent that is not beyond its start by then hangs, or could not start: the others do not wait for it any longer. */
const PATIENCE_MS = 5_000;

type StartContext = Pick<WorkContext, 'locks' | 'clock' | 'signal'>;

/** Starts an agent. If its processes must not start in the same moment, the next one starts when `isBeyondStart` holds for this one. */
export async function startAlone(
  context: StartContext,
  config: Config,
  worker: Worker,
  isBeyondStart: () => Promise<boolean>,
  start: () => Promise<void>,
): Promise<void> {
  const agent = loadAgent(config, worker.agent);
  // A sandboxed agent has its files to itself.
  if (agent.startsAlone !== true || chooseSettings(config, worker).sandbox !== 'none') return await start();
  const { clock, locks, signal } = context;
  await locks.withLock(launchKey(agent.name), async () => {
    await start();
    const began = clock.now();
    while (!(await isBeyondStart()) && Math.abs(clock.now() - began) < PATIENCE_MS && !signal.aborted)
      await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  });
}

/** Whether an agent is starting that no other process of this CLI may disturb. */
export function isStarting({ locks }: Pick<WorkContext, 'locks'>, agent: Agent): boolean {
  return locks.isLocked(launchKey(agent.name));
}
