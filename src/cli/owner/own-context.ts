import { keepLog } from '../../store/log.ts';
import { reportRepairs } from '../../store/report-repairs.ts';
import { Store } from '../../store/store.ts';
import { claimRoot } from '../../supervisor/ownership/claim.ts';
import { systemClock } from '../../system/clock.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { systemRandom } from '../../system/random.ts';
import { openContext, type WorkContext } from '../../workers/context.ts';
import { repairWorktree } from '../../workers/worktree/repair-worktree.ts';
import { interruption } from '../interruption.ts';
import type { Shell } from '../shell.ts';

export const systemPorts = { clock: systemClock, random: systemRandom, processes: systemProcesses };

/** This process as the root's owner, for one command. */
export async function openOwnContext(
  shell: Shell,
  what: string,
  patienceMs: number,
): Promise<Disposable & { readonly context: WorkContext }> {
  const lock = await claimRoot(shell.layout, what, systemClock, patienceMs);
  try {
    const store = new Store(shell.layout, systemClock);
    keepLog(store);
    reportRepairs(store, shell.say);
    const context: WorkContext = openContext(store, systemPorts, {
      supervised: false,
      say: shell.say,
      signal: interruption(),
      restartAgent: async () => undefined,
      keepWorktree: async (name) => await repairWorktree(context, name),
      interrupt: async () => undefined,
      continuesByItself: () => false,
    });
    return {
      context,
      [Symbol.dispose]() {
        store[Symbol.dispose]();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
