import { readdirSync, readFileSync } from 'node:fs';
import { readKin } from './lineage.ts';
import { trySignal } from './signal.ts';

/** In the environment of each command of config.toml and of a workflow, and so of everything that it starts: `<root>/run/<id>`. */
export const LINE_MARK = 'LLMC_LINE';

/**
 * Finds the processes that inherited all of these `NAME=value`, in any session: the tools of an agent run in
 * their own sessions and survive when the agent is killed. Works only on Linux; returns none elsewhere.
 */
export function processesWith(variables: readonly string[]): readonly number[] {
  return list('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      const environment = new Set(readEnvironment(Number(pid)).split('\0'));
      return variables.every((variable) => environment.has(variable));
    })
    .map(Number);
}

/** The `NAME=value` that a process of this user was started with, each ended by a NUL; empty where the system does not say. */
export const readEnvironment = (pid: number): string => read(`/proc/${pid}/environ`);

/** Kills them at once. `session`: also the processes of this session, which may have emptied their environment. */
export function endStrays(variables: readonly string[], session?: number): number {
  const found = new Set([...processesWith(variables), ...(session === undefined ? [] : listMembers(session))]);
  return [...found].filter((pid) => trySignal(pid, 'SIGKILL')).length;
}

/** A session keeps its number after its leader has ended. */
function listMembers(session: number): readonly number[] {
  return list('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => readKin(Number(name)) ?? [])
    .filter((kin) => kin.session === session && !kin.isDead)
    .map(({ pid }) => pid);
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
