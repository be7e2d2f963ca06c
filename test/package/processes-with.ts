import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Processes that inherited this `NAME=value`, as `pid command`. Debian's base image has no `ps`, macOS has no /proc. */
export function processesWith(variable: string): string[] {
  if (!existsSync('/proc/self/environ')) {
    const { stdout } = spawnSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8' });
    return stdout.split('\n').filter((line) => line.includes(variable));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).split('\0').includes(variable))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}`);
}

/** Processes that name this text, such as the path of a folder, in their words or in their environment. */
export function processesNaming(text: string): string[] {
  if (!existsSync('/proc/self/environ')) return processesWith(text);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && (read(`/proc/${name}/environ`).includes(text) || read(`/proc/${name}/cmdline`).includes(text)))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}`);
}

// A process may end between the listing and the read of its files.
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
