import { forgetCheck, noteProcess, type RunningCheck, runningChecks } from '../../store/tables/checks.ts';
import type { WorkContext } from '../../workers/context.ts';
import { endLeftovers, lineMark } from '../../workers/worktree/leftovers.ts';

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
  // Not by its session: the number may be that of another one by now.
  endLeftovers(ports, lineMark(ports.store.layout, mark), undefined);
}
