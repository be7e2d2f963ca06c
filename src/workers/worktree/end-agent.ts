import type { Worker } from '../../store/state.ts';
import { removeSocket } from '../../system/files/socket-file.ts';
import { endStrays } from '../../system/processes/strays.ts';
import type { WorkContext } from '../context.ts';

/**
 * Ends a worker's session and what its agent left running: a tool that lives on would write into a worktree that is being
 * saved, reset or given to the next life.
 */
export async function endAgent({ terminal, layout }: Pick<WorkContext, 'terminal' | 'layout'>, worker: Worker): Promise<void> {
  await terminal.close(worker.session_id);
  endStrays([`LLMC_ROOT=${layout.root}`, `LLMC_WORKER=${worker.name}`]);
  removeSocket(layout.agentSocket(worker.name));
}
