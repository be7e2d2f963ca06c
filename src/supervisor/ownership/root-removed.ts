import { endServer } from '../../terminal/server-above.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';

const POLL_MS = 2_000;

/**
 * Resolves, with why, when the root was removed under the running supervisor, after ending its sessions. The socket that tmux would be
 * asked over has gone with it, and agents in deleted directories would live on with nobody to stop them. Also when only the
 * database was removed: what is written to a file without a name is lost, so nothing more may be promised.
 */
export async function stopWhenRootRemoved(
  context: WorkContext,
  watches: ReadonlyMap<string, Watch>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { clock, layout, files } = context;
  // The database, not the directory: an agent at work may keep putting files where the root was.
  while (files.exists(layout.database)) {
    await clock.sleep(POLL_MS, signal).catch(() => undefined);
    if (signal.aborted) return undefined;
  }
  // Whoever removes a directory removes one file after the other.
  await clock.sleep(POLL_MS, signal).catch(() => undefined);
  if (files.exists(layout.config)) {
    const why = `${layout.database} was removed`;
    context.say(`${why}; stopping. llmc up --detach creates a new one from state.json.`);
    return why;
  }
  context.say(`${layout.root} is gone; ending its agents`);
  for (const {
    tmux: { pid },
  } of watches.values())
    if (pid !== undefined && (await endServer(context, pid))) break;
  return `${layout.root} was removed`;
}
