import { readdirSync, readFileSync } from 'node:fs';
import { trySignal } from './signal.ts';

/**
 * Finds the processes that inherited all of these `NAME=value`, in any session: the tools of an agent run in
 * their own sessions and survive when the agent is killed. Works only on Linux; returns none elsewhere.
 */
export function processesWith(variables: readonly string[]): readonly number[] {
  return list('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      const environment = new Set(environmentOf(Number(pid)).split('\0'));
      return variables.every((variable) => environment.has(variable));
    })
    .map(Number);
}

/** The `NAME=value` that a process of this user was started with, each ended by a NUL; empty where the system does not say. */
export const environmentOf = (pid: number): string => read(`/proc/${pid}/environ`);

/** Kills them at once. */
export function endStrays(variables: readonly string[]): number {
  return processesWith(variables).filter((pid) => trySignal(pid, 'SIGKILL')).length;
}

function list(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

// A process may end between the listing and the read, or belong to another user.
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
