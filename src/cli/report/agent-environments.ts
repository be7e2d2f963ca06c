import { walkLineage } from '../../system/processes/lineage.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { readEnvironment } from '../../system/processes/strays.ts';
import { Terminal } from '../../terminal/terminal.ts';

/**
 * The environments of the agents and of the tmux server above them, which may be older than the supervisor. Empty where no server runs,
 * and where the system does not show them.
 */
export async function agentEnvironments(tmuxSocket: string): Promise<readonly string[]> {
  const panes = await new Terminal(tmuxSocket, systemProcesses).panes().catch(() => undefined);
  const above = (panes ?? []).flatMap(({ pid }) => [...walkLineage(pid)]);
  const pids = new Set(above.flatMap((relative) => (relative === 'too many' ? [] : [relative.pid])));
  return [...pids].map(readEnvironment).filter((environment) => environment !== '');
}
