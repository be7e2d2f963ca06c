import { spawn } from 'node:child_process';

export interface ShellResult {
  /** Null when a signal ended it. */
  readonly status: number | null;
  readonly output: string;
}

export type RunCommand = (argv: readonly [string, ...string[]], signal: AbortSignal) => Promise<ShellResult>;

const LONGEST_OUTPUT = 64_000;

/** Runs programs in their own process group, so that an interrupt also reaches their children. */
export function createRunner(cwd: string, env: NodeJS.ProcessEnv): RunCommand {
  return ([file, ...args], signal) =>
    new Promise((resolve) => {
      const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
      let output = '';
      const collect = (chunk: Buffer) => {
        if (output.length < LONGEST_OUTPUT) output += chunk.toString('utf8');
      };
      const stop = () => {
        if (child.pid === undefined) return;
        try {
          process.kill(-child.pid, 'SIGTERM');
        } catch {
          // The process has already ended.
        }
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      signal.addEventListener('abort', stop, { once: true });
      child.on('error', (error) => resolve({ status: 127, output: error.message }));
      child.on('close', (status) => {
        signal.removeEventListener('abort', stop);
        resolve({ status, output });
      });
    });
}
