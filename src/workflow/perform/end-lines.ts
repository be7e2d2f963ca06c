import { forgetCheck, noteProcess, type RunningCheck, runningChecks } from '../../store/tables/checks.ts';
import type { WorkContext } from '../../workers/context.ts';

/** In the environment of the shell lines of a run, and so of everything that they start, in whatever process group. */
export const MARK = 'LLMC_CHECK';

type Ports = Pick<WorkContext, 'signals' | 'listProcesses' | 'clock' | 'store'>;

/** Remembers which process runs the lines, with the time of its beginning: its number may be that of another process later. */
export async function rememberProcess({ listProcesses, store }: Ports, mark: string, pid: number): Promise<void> {
  const found = (await listProcesses()).find((each) => each.pid === pid);
  if (found !== undefined) noteProcess(store.database, mark, pid, found.started);
}

/** Ends the shell lines that ran when an earlier process of llmc was killed. Their actions run them again. */
export async function endLeftLines(ports: Ports): Promise<void> {
  for (const check of runningChecks(ports.store.database)) {
    await endLines(ports, check);
    forgetCheck(ports.store.database, check.action);
  }
}

/** SIGKILL is answered at once, unless the process waits for the disk. */
const PATIENCE_MS = 2_000;
const POLL_MS = 20;

async function endLines(ports: Ports, { mark, pid, started }: RunningCheck): Promise<void> {
  const { signals, listProcesses, clock } = ports;
  const deadline = clock.now() + PATIENCE_MS;
  const runs = async () => pid !== null && (await listProcesses()).some((each) => each.pid === pid && each.started === started);
  while ((await runs()) && clock.now() <= deadline) {
    if (pid !== null) signals.send(-pid, 'SIGKILL');
    await clock.sleep(POLL_MS);
  }
  endStrays(ports, mark);
}

/** Ends what the lines started and left running in groups of its own. What is started meanwhile is found by the next round. */
export function endStrays({ signals }: Pick<Ports, 'signals'>, mark: string): void {
  for (let round = 0; round < 5 && signals.killStrays([`${MARK}=${mark}`]) > 0; round += 1);
}
