import { describeError } from '../../base/error.ts';
import type { Clock, Files } from '../../base/ports.ts';
import type { Layout } from '../../store/layout.ts';
import type { Lock } from '../../system/lock.ts';
import { openSockets } from './sockets.ts';

const POLL_MS = 2_000;
/** A minute: large worktrees take long to remove. */
const REMOVAL_POLLS = 30;

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
  let problem: string | undefined;
  let missed = 0;
  for (await pause(); !signal.aborted; await pause()) {
    if (!lock.isLost()) {
      missed = 0;
      problem = files.exists(layout.apiSocket) ? undefined : await openAgain(place, problem);
      continue;
    }
    missed += 1;
    // Until there is a new file nobody else has the lock, and the whole root may be going, file by file: that ends its agents too.
    if (!files.exists(layout.database) || (!files.exists(layout.lock) && missed <= REMOVAL_POLLS)) continue;
    say(`${layout.lock} was removed, so another llmc may own this root. This supervisor ends; its agents keep running: llmc up --detach`);
    return place.end();
  }
}

/** Returns what keeps llmc from listening, which it reports once and tries again at each poll: a full disk or a missing folder may pass. */
async function openAgain({ layout, listenAgain, say }: Place, before: string | undefined): Promise<string | undefined> {
  try {
    openSockets(layout);
    await listenAgain();
    say(`${layout.apiSocket} was removed. llmc listens there again.`);
    return undefined;
  } catch (error) {
    const problem = describeError(error);
    if (problem !== before) say(`${layout.apiSocket} was removed, and llmc cannot listen there: ${problem}`);
    return problem;
  }
}
