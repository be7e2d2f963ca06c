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
  files.removeSocket(layout.agentSocket(worker.name));
}
