import { spawn, spawnSync } from 'node:child_process';
import type { Command } from '../base/command.ts';
import { environment } from './environment.ts';
import { collectOutput } from './output.ts';
import { trySignal } from './signal.ts';

/** A program that lives beside its starter, who alone ends it. */
export interface OwnedProcess {
  readonly pid: number | undefined;
  /** Resolves with everything it printed. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  signal(name: NodeJS.Signals): void;
}

/** In a process group of its own, so that a Ctrl+C in the terminal reaches the starter only. */
export function startOwned(command: Command, onLine: (line: string) => void): OwnedProcess {
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: environment(command.env),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child, onLine);
  let over = false;
  const ended = new Promise<string>((resolve) => {
    const end = (trouble: string) => {
      over = true;
      const { stdout, stderr } = output.text();
      resolve(`${stdout}${stderr}${trouble}`);
    };
    child.once('error', (error) => end(error.message));
    child.once('close', () => end(''));
  });
  return {
    pid: child.pid,
    ended,
    hasEnded: () => over,
    signal(name) {
      if (child.pid !== undefined && !over) trySignal(child.pid, name);
    },
  };
}

/** For a process's last moment, when nothing asynchronous runs any more. */
export function runNow(command: Command): boolean {
  const { status } = spawnSync(command.file, command.args, {
    cwd: command.cwd,
    env: environment(command.env),
    stdio: 'ignore',
    timeout: 5_000,
  });
  return status === 0;
}

/** Nothing else happens meanwhile; only for that last moment. */
export function pauseNow(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
