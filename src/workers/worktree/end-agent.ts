import { dirname } from 'node:path';
import { sandboxPlaces } from '../../sandbox/places.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../context.ts';

type Ports = Pick<WorkContext, 'terminal' | 'layout' | 'files' | 'signals'>;

/**
 * Ends a worker's session and the processes that its agent left running: they would write into a worktree that is being
 * saved, reset or reused.
 */
export async function endAgent({ terminal, layout, files, signals }: Ports, worker: Worker): Promise<void> {
  await terminal.close(worker.session_id);
  signals.killStrays([`LLMC_ROOT=${layout.root}`, `LLMC_WORKER=${worker.name}`]);
  const socket = layout.agentSocket(worker.name);
  // A sandboxed agent could have put a link there that leads to a socket of someone else.
  if (!files.exists(sandboxPlaces(layout, worker.name).git)) return files.removeSocket(socket);
  files.remove(dirname(socket));
  files.makeFolder(dirname(socket));
}
