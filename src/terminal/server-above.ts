import type { Processes } from '../base/ports.ts';
import { readTextIfThere } from '../system/files/files.ts';
import { trySignal } from '../system/processes/signal.ts';

/**
 * Signals the tmux server that is the parent of a pane's process. Used when the socket is gone, so that tmux commands cannot reach the server.
 * Only a process called tmux gets the signal: if the server is dead, the parent is another process, which the signal could end.
 */
async function signalServerAbove(processes: Processes, panePid: number, signal: NodeJS.Signals): Promise<boolean> {
  const server = (await describe(processes, panePid))?.parent ?? 0;
  if (server <= 1 || !/^tmux\b/.test((await describe(processes, server))?.name ?? '')) return false;
  return trySignal(server, signal);
}

/** Makes the server create its socket file again (see tmux(1)), after the file was deleted. */
export const reopenSocket = (processes: Processes, panePid: number): Promise<boolean> => signalServerAbove(processes, panePid, 'SIGUSR1');

/** Ends the server and every session. */
export const endServer = (processes: Processes, panePid: number): Promise<boolean> => signalServerAbove(processes, panePid, 'SIGTERM');

/** Reads /proc on Linux, because a minimal Debian has no `ps`; runs `ps` on macOS, which has no /proc. */
async function describe(processes: Processes, pid: number): Promise<{ readonly name: string; readonly parent: number } | undefined> {
  const stat = readTextIfThere(`/proc/${pid}/stat`);
  const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat ?? '') ?? [];
  if (parent !== undefined) return { name, parent: Number(parent) };
  const { stdout } = await processes.run({ file: 'ps', args: ['-o', 'ppid=,comm=', '-p', String(pid)] }, { timeoutMs: 5_000 });
  const [, ppid, command = ''] = /^\s*(\d+)\s+(?:.*\/)?(.*?)\s*$/.exec(stdout) ?? [];
  return ppid === undefined ? undefined : { name: command, parent: Number(ppid) };
}
