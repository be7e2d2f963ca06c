import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessLook {
  /** Stopped by a signal, such as Ctrl+Z: alive, but not running. */
  readonly stopped: boolean;
  /** Its command line. */
  readonly command: string;
}

/** Reads one process from /proc, else from `ps`. Undefined if it is gone or neither source answers. */
export function lookAtProcess(pid: number): ProcessLook | undefined {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

function fromProc(pid: number): ProcessLook {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  // See proc(5): the state follows the name, which is in brackets and may contain any character.
  return { stopped: stat.charAt(stat.lastIndexOf(')') + 2) === 'T', command };
}

function fromPs(pid: number): ProcessLook | undefined {
  const { stdout, status } = spawnSync('ps', ['-o', 'stat=,args=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 });
  const match = /^\s*(\S+)\s+(.*\S)/.exec(stdout ?? '');
  if (status !== 0 || match === null) return undefined;
  const [, state = '', command = ''] = match;
  return { stopped: state.startsWith('T'), command };
}
