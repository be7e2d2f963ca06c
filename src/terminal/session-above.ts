import { join, sep } from 'node:path';
import { isSameFile } from '../system/files/files.ts';
import { type Relative, readProc, walkLineage } from '../system/processes/lineage.ts';
import { LINE_MARK } from '../system/processes/strays.ts';

/** A process inside the session of a worker. */
export interface Inside {
  /** Undefined if it is not known which one, as for a shell that a person opened there. */
  readonly worker: string | undefined;
}

/** The paths of a root by which its sessions are found. */
export interface SessionPaths {
  readonly tmuxSocket: string;
  readonly run: string;
}

/**
 * Whether a process runs inside a worker's session: it, or a process above it, has the environment of an agent or of a command of
 * config.toml, or is the tmux server of the root, or one of `others`. Reads two files of /proc for each process above it. Does not
 * find a daemon that has left its parent, its session and its environment: `callerOf` takes such a process for nobody.
 */
export function sessionAbove(pid: number, place: SessionPaths, others: readonly number[] = []): Inside | undefined {
  for (const relative of walkLineage(pid)) {
    if (relative === 'too many' || others.includes(relative.pid)) return { worker: undefined };
    const environment = readProc(relative.pid, 'environ');
    const worker = workerIn(environment, place.run);
    if (worker !== undefined) return { worker };
    if (hasVariable(environment, `${LINE_MARK}=${place.run}${sep}`)) return { worker: undefined };
    if (/^tmux\b/.test(relative.name) && servesSocket(relative.pid, place.tmuxSocket)) return { worker: undefined };
  }
  return undefined;
}

/** The scratch folder in the environment of an agent names the root and the worker. */
function workerIn(environment: string, run: string): string | undefined {
  const start = `LLMC_SCRATCH=${join(run, 'workers')}${sep}`;
  const found = environment.split('\0').find((line) => line.startsWith(start));
  return found?.slice(start.length).split(sep)[0];
}

const hasVariable = (environment: string, start: string): boolean => environment.split('\0').some((line) => line.startsWith(start));

/** Whether a process is an agent or a command of config.toml of any root, or the tmux server of one: its terminal is not a person's. */
export function isOfSomeRoot({ pid, name }: Relative): boolean {
  const environment = readProc(pid, 'environ');
  if (hasVariable(environment, 'LLMC_SCRATCH=') || hasVariable(environment, `${LINE_MARK}=`)) return true;
  if (!/^tmux\b/.test(name)) return false;
  const words = readProc(pid, 'cmdline').split('\0');
  return words.some((word, index) => words[index - 1] === '-S' && /\/(?:run|llmc-\d+-[0-9a-f]{16})\/tmux\.sock$/.test(word));
}

/** tmux keeps the command line that started the server. Where the system has its own setproctitle, the title names the socket. */
function servesSocket(pid: number, tmuxSocket: string): boolean {
  const words = readProc(pid, 'cmdline').split('\0');
  const socket = words[words.indexOf('-S') + 1] ?? '';
  return socket === tmuxSocket || words[0]?.includes(`(${tmuxSocket})`) === true || isSameFile(socket, tmuxSocket);
}
