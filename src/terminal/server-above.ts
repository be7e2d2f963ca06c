import type { SystemPorts } from '../base/ports.ts';

type Ports = Pick<SystemPorts, 'processes' | 'files' | 'signals'>;

/**
 * Signals the tmux server that is the parent of a pane's process. Used when the socket is gone, so that tmux commands cannot reach the server.
 * Only a process called tmux gets the signal: if the server is dead, the parent is another process, which the signal could end.
 */
async function signalServerAbove(ports: Ports, panePid: number, signal: NodeJS.Signals): Promise<boolean> {
  const server = (await describe(ports, panePid))?.parent ?? 0;
  if (server <= 1 || !/^tmux\b/.test((await describe(ports, server))?.name ?? '')) return false;
  return ports.signals.send(server, signal);
}

/** Makes the server create its socket file again (see tmux(1)), after the file was deleted. */
export const reopenSocket = (ports: Ports, panePid: number): Promise<boolean> => signalServerAbove(ports, panePid, 'SIGUSR1');

/** Ends the server and every session. */
export const endServer = (ports: Ports, panePid: number): Promise<boolean> => signalServerAbove(ports, panePid, 'SIGTERM');

/** Reads /proc on Linux, because a minimal Debian has no `ps`; runs `ps` on macOS, which has no /proc. */
async function describe(ports: Ports, pid: number): Promise<{ readonly name: string; readonly parent: number } | undefined> {
  const stat = ports.files.readText(`/proc/${pid}/stat`);
  const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat ?? '') ?? [];
  if (parent !== undefined) return { name, parent: Number(parent) };
  const { stdout } = await ports.processes.run({ file: 'ps', args: ['-o', 'ppid=,comm=', '-p', String(pid)] }, { timeoutMs: 5_000 });
  const [, ppid, command = ''] = /^\s*(\d+)\s+(?:.*\/)?(.*?)\s*$/.exec(stdout) ?? [];
  return ppid === undefined ? undefined : { name: command, parent: Number(ppid) };
}
