import { readdirSync, readFileSync } from 'node:fs';
import { trySignal } from './signal.ts';

/**
 * Processes that inherited all of these `NAME=value`, wherever they have gone in the meantime: tools an agent started run in
 * sessions of their own and live on when it is killed. Only Linux tells; elsewhere there are none.
 */
export function processesWith(variables: readonly string[]): readonly number[] {
  return list('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      const environment = new Set(read(`/proc/${pid}/environ`).split('\0'));
      return variables.every((variable) => environment.has(variable));
    })
    .map(Number);
}

/** Ends them at once. */
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

// A process may end between the listing and the look at it, or belong to somebody else.
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
