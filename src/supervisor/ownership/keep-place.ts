import { messageOf } from '../../base/error.ts';
import type { Clock, Files } from '../../base/ports.ts';
import type { Layout } from '../../store/layout.ts';
import type { Lock } from '../../system/lock.ts';
import { openSockets } from './sockets.ts';

const POLL_MS = 2_000;

interface Place {
  readonly layout: Layout;
  readonly clock: Clock;
  readonly files: Pick<Files, 'exists'>;
  readonly lock: Pick<Lock, 'isLost'>;
  readonly listenAgain: () => Promise<void>;
  readonly say: (line: string) => void;
  /** Ends this process at once: it must not write to files that another supervisor may own. */
  readonly end: () => void;
}

/**
 * Keeps the supervisor reachable and alone while a person or a cleaner of /tmp removes files in `run`. Without its socket no command
 * could reach, replace or stop it. Without its lock file a second supervisor can start, so this one ends and leaves the agents to it.
 */
export async function keepPlace(place: Place, signal: AbortSignal): Promise<void> {
  const { layout, clock, files, lock, say } = place;
  const pause = () => clock.sleep(POLL_MS, signal).catch(() => undefined);
  for (await pause(); !signal.aborted; await pause()) {
    if (!lock.isLost()) {
      if (!files.exists(layout.apiSocket)) await openAgain(place);
      continue;
    }
    // A root is removed file by file; a removed root is the end of its agents too, and not decided here.
    await pause();
    if (signal.aborted || !files.exists(layout.database)) continue;
    say(`${layout.lock} was removed, so another llmc may own this root. This supervisor ends; its agents keep running: llmc up --detach`);
    return place.end();
  }
}

async function openAgain({ layout, listenAgain, say }: Place): Promise<void> {
  try {
    openSockets(layout);
    await listenAgain();
    say(`${layout.apiSocket} was removed. llmc listens there again.`);
  } catch (error) {
    // Tried again at the next poll: a full disk or a missing folder may pass.
    say(`${layout.apiSocket} was removed, and llmc cannot listen there: ${messageOf(error)}`);
  }
}
