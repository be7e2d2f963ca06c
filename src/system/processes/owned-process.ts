import { spawn, spawnSync } from 'node:child_process';
import type { Command } from '../../base/command.ts';
import { environment } from './environment.ts';
import { collectOutput } from './output.ts';
import { trySignal } from './signal.ts';

export interface Ended {
  /** Null when a signal ended it or it could not be started. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs beside its starter until the starter ends it. */
export interface OwnedProcess {
  readonly ended: Promise<Ended>;
  hasEnded(): boolean;
  signal(name: NodeJS.Signals): void;
}

/** In a process group of its own, so that a Ctrl+C in the terminal reaches the starter only. */
export function startOwned(command: Command, onLine?: (line: string) => void): OwnedProcess {
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: environment(command.env),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child, { ...(onLine && { onLine }) });
  let over = false;
  const ended = new Promise<Ended>((resolve) => {
    const end = (status: number | null, trouble: string) => {
      over = true;
      const { stdout, stderr } = output.text();
      resolve({ status, stdout, stderr: `${stderr}${trouble}` });
    };
    child.once('error', (error) => end(null, error.message));
    child.once('close', (status) => end(status, ''));
  });
  return {
    ended,
    hasEnded: () => over,
    signal(name) {
      if (child.pid !== undefined && !over) trySignal(-child.pid, name);
    },
  };
}

/** For the exit handler of a process, in which no asynchronous code runs. */
export function runNow(command: Command): boolean {
  const options = { cwd: command.cwd, env: environment(command.env), stdio: 'ignore', timeout: 5_000 } as const;
  return spawnSync(command.file, command.args, options).status === 0;
}

/** Blocks the whole process, so use it only in the exit handler. */
export function pauseNow(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
