import type { Processes } from '../base/ports.ts';
import { readTextIfThere } from '../system/files/files.ts';
import { trySignal } from '../system/processes/signal.ts';

/**
 * Signals the tmux server above a pane's process, for when its socket is gone and it cannot be asked any more.
 * Only a process called tmux gets the signal: whoever takes in the orphans of a dead server might end of it.
 */
async function signalServerAbove(processes: Processes, panePid: number, signal: NodeJS.Signals): Promise<boolean> {
  const server = (await describe(processes, panePid))?.parent ?? 0;
  if (server <= 1 || !/^tmux\b/.test((await describe(processes, server))?.name ?? '')) return false;
  return trySignal(server, signal);
}

/** Has it make its socket file again (see tmux(1)), for one that somebody removed. */
export const reopenSocket = (processes: Processes, panePid: number): Promise<boolean> => signalServerAbove(processes, panePid, 'SIGUSR1');

/** Ends it, and with it every session. */
export const endServer = (processes: Processes, panePid: number): Promise<boolean> => signalServerAbove(processes, panePid, 'SIGTERM');

/** Linux tells in a file; a small Debian has no `ps`, and macOS no such file. */
async function describe(processes: Processes, pid: number): Promise<{ readonly name: string; readonly parent: number } | undefined> {
  const told = readTextIfThere(`/proc/${pid}/stat`);
  const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(told ?? '') ?? [];
  if (parent !== undefined) return { name, parent: Number(parent) };
  const { stdout } = await processes.run({ file: 'ps', args: ['-o', 'ppid=,comm=', '-p', String(pid)] }, { timeoutMs: 5_000 });
  const [, ppid, command = ''] = /^\s*(\d+)\s+(?:.*\/)?(.*?)\s*$/.exec(stdout) ?? [];
  return ppid === undefined ? undefined : { name: command, parent: Number(ppid) };
}
