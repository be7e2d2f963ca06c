import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { listenInside, listenOutside } from './allowed-hosts.ts';

/**
 * A program in two parts, one on each side of a sandbox without a network:
 *
 *   agent-network outside <folder> <hosts> <command…>   lets what comes over a socket in the folder out, to these hosts only,
 *                                                        and ends with its command, and with the command's status
 *   agent-network inside                                 prints a port of loopback that leads to the socket, and ends with the sandbox
 *
 * LLMC_NETWORK names the socket from one to the other.
 */
const [side, folder = '', list = '', file = '', ...args] = process.argv.slice(2);

if (side === 'outside') {
  const socket = join(folder, `net.${process.pid}`);
  rmSync(socket, { force: true });
  await listenOutside(
    socket,
    list.split(',').filter((host) => host !== ''),
  );
  run(socket);
} else {
  // The terminal sends these to the agent, which decides what they mean. Without this process it would reach nothing.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTSTP', 'SIGHUP'] as const) process.on(signal, () => undefined);
  writeSync(1, `${await listenInside(process.env['LLMC_NETWORK'] ?? '')}\n`);
}

/** bubblewrap passes no signal on and takes the agent with it at once, so signals go to the child of its child. */
function agentBelow(bubblewrap: number | undefined): number | undefined {
  const childOf = (pid: number | undefined) => Number.parseInt(readTextOrEmpty(`/proc/${pid}/task/${pid}/children`), 10) || undefined;
  return childOf(childOf(bubblewrap));
}

function readTextOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function run(socket: string): void {
  const child = spawn(file, args, { stdio: 'inherit', env: { ...process.env, LLMC_NETWORK: socket } });
  // The terminal sends these to the command too, which decides what they mean.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTSTP'] as const) process.on(signal, () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)
    process.on(signal, () => {
      const agent = agentBelow(child.pid);
      if (agent === undefined) child.kill(signal);
      else process.kill(agent, signal);
    });
  // As a shell does for a program that is missing.
  child.on('error', () => process.exit(127));
  child.on('exit', (status, signal) => {
    rmSync(socket, { force: true });
    if (signal === null) process.exit(status ?? 1);
    for (const each of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}
