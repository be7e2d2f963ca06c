import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openLog } from '../files/append-file.ts';

export interface Detached {
  /** Its output after its end; undefined while it runs. */
  ended(): string | undefined;
  /** Lets this process exit without waiting for it. */
  release(): void;
}

/** Starts a program in a session of its own, its output appended to a log file. */
export function startDetached(argv: readonly [string, ...string[]], log: string): Detached {
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  const fd = openLog(log);
  const start = statSync(log).size;
  const child = spawn(argv[0], argv.slice(1), { detached: true, stdio: ['ignore', fd, fd], cwd: '/' });
  closeSync(fd);
  let over = false;
  child.once('exit', () => {
    over = true;
  });
  child.once('error', () => {
    over = true;
  });
  return {
    ended: () => (over ? readFileSync(log).subarray(start).toString('utf8').trim() : undefined),
    release: () => child.unref(),
  };
}
