import { endServer } from '../../terminal/server-above.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';

const POLL_MS = 2_000;

export interface Removal {
  readonly why: string;
  /** The root is still there: the next start restores its database from a copy. */
  readonly again: boolean;
}

type RemovalContext = Pick<WorkContext, 'clock' | 'layout' | 'files' | 'say' | 'processes' | 'signals'>;

/**
 * Resolves with the reason when the root of the running supervisor was removed, after it has ended the sessions. The tmux socket
 * is gone with the root, and no command could stop the agents in the deleted directories. It also resolves when only the
 * database was removed: data written to a file without a name is lost, so llmc must not promise anything more.
 */
export async function stopWhenRootRemoved(
  context: RemovalContext,
  watches: ReadonlyMap<string, { readonly tmux: Pick<Watch['tmux'], 'pid'> }>,
  signal: AbortSignal,
): Promise<Removal | undefined> {
  const { clock, layout, files } = context;
  // A disk that reports an error, or a folder without access, proves nothing: the agents keep running.
  const isRemoved = (path: string) => files.plainSize(path) === 'absent';
  // Check the database, not the directory: an agent at work may keep creating files where the root was.
  while (!isRemoved(layout.database)) {
    await clock.sleep(POLL_MS, signal).catch(() => undefined);
    if (signal.aborted) return undefined;
  }
  // A directory is removed file by file.
  await clock.sleep(POLL_MS, signal).catch(() => undefined);
  if (!isRemoved(layout.config)) {
    const why = `${layout.database} was removed`;
    context.say(`${why}; stopping. llmc up --detach restores its newest copy, or without one creates a new database from state.json.`);
    return { why, again: true };
  }
  context.say(`${layout.root} was removed; ending its agents`);
  for (const {
    tmux: { pid },
  } of watches.values())
    if (pid !== undefined && (await endServer(context, pid))) break;
  return { why: `${layout.root} was removed`, again: false };
}
