import { noteWriter } from '../../store/database.ts';
import { keepLog } from '../../store/log.ts';
import { reportRepairs } from '../../store/report-repairs.ts';
import { Store } from '../../store/store.ts';
import { claimRoot } from '../../supervisor/ownership/claim.ts';
import { systemClock } from '../../system/clock.ts';
import { systemPorts } from '../../system/ports.ts';
import { openContext, type WorkContext } from '../../workers/context.ts';
import { noAgents } from '../../workers/no-agents.ts';
import { interruption } from '../interruption.ts';
import type { Shell } from '../shell.ts';

/** Makes this process the owner of the root for one command. */
export async function openOwnContext(
  shell: Shell,
  what: string,
  patienceMs: number,
  /** Done in the lock before the files of the root are opened; returns what it repaired. */
  first: () => readonly string[] = () => [],
): Promise<Disposable & { readonly context: WorkContext }> {
  const lock = await claimRoot(shell.layout, what, systemPorts, patienceMs);
  try {
    const store = new Store(shell.layout, systemClock, systemPorts.files, [...lock.cleared, ...first()]);
    noteWriter(store.database, shell.options.version);
    keepLog(store);
    reportRepairs(store, shell.say);
    const context = openContext(store, systemPorts, {
      supervised: false,
      say: shell.say,
      signal: interruption(),
      agents: noAgents,
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
