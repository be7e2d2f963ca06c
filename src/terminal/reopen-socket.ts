import type { Processes } from '../base/ports.ts';
import { trySignal } from '../system/signal.ts';

/**
 * Has the tmux server above a pane's process make its socket file again (SIGUSR1, see tmux(1)), for one that somebody removed.
 * Only a process called tmux gets the signal: whoever takes in the orphans of a dead server might end of it.
 */
export async function reopenSocket(processes: Processes, panePid: number): Promise<boolean> {
  const server = Number(await said(processes, 'ppid=', panePid));
  if (!(server > 1) || !/(^|\/)tmux\b/.test(await said(processes, 'comm=', server))) return false;
  return trySignal(server, 'SIGUSR1');
}

async function said(processes: Processes, field: string, pid: number): Promise<string> {
  return (await processes.run({ file: 'ps', args: ['-o', field, '-p', String(pid)] }, { timeoutMs: 5_000 })).stdout.trim();
}
