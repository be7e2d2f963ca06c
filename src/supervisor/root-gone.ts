import { exists } from '../system/files.ts';
import { endServer } from '../terminal/server-above.ts';
import type { WorkContext } from '../workers/context.ts';
import type { Watch } from './watch.ts';

const LOOK_EVERY_MS = 2_000;

/**
 * Resolves when the root was removed under the running supervisor, after ending its sessions. The socket that tmux would be
 * asked over has gone with it, and agents in deleted directories would live on with nobody to stop them.
 */
export async function endWithRoot(context: WorkContext, watches: ReadonlyMap<string, Watch>, signal: AbortSignal): Promise<void> {
  const { clock, layout, processes } = context;
  // The database, not the directory: an agent at work may keep putting files where the root was.
  while (exists(layout.database)) {
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
  }
  context.say(`${layout.root} is gone; ending its agents`);
  for (const { pid } of watches.values()) if (pid !== undefined && (await endServer(processes, pid))) return;
}
