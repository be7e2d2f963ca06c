import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Command } from '../../base/command.ts';
import type { Finished, Processes, ProcessOutcome, RunOptions } from '../../base/ports.ts';
import { environment } from './environment.ts';
import { collectOutput } from './output.ts';
import { trySignal } from './signal.ts';

/** How long a process may take to obey SIGTERM before SIGKILL. */
const KILL_AFTER_MS = 2_000;

/**
 * Runs programs in a process group of their own, so that a timeout also ends what a shell command started. Not execa 10, although it
 * can end descendants: docs/architecture.md says why.
 */
export const systemProcesses: Processes = { run };

function run(command: Command, options: RunOptions = {}): Promise<Finished> {
  return new Promise((resolve) => {
    if (options.signal?.aborted) {
      resolve({ command, outcome: { kind: 'aborted' }, stdout: '', stderr: '', truncated: false });
      return;
    }
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: environment(command.env),
      detached: true,
      stdio: [command.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) options.onStart?.(child.pid);
    const output = collectOutput(child, options);
    const stopper = stopOn(child, options);
    let settled = false;
    const finish = (outcome: ProcessOutcome) => {
      if (settled) return;
      settled = true;
      stopper.clear();
      resolve({ command, outcome: stopper.cause ?? outcome, ...output.text() });
    };
    child.once('error', (error: NodeJS.ErrnoException) => finish(notStarted(error, command)));
    if (options.onExit !== undefined) child.once('exit', options.onExit);
    child.once('close', (status, signal) =>
      finish(signal === null ? { kind: 'exited', status: status ?? 1 } : { kind: 'signaled', signal }),
    );
    if (command.stdin !== undefined) {
      // Ignore EPIPE: a program that exits without reading its input closes the pipe early, and its exit status is the result.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(command.stdin);
    }
  });
}

function notStarted(error: NodeJS.ErrnoException, command: Command): ProcessOutcome {
  // spawn reports a missing working directory with the same ENOENT as a missing program.
  const noDirectory = command.cwd !== undefined && !existsSync(command.cwd);
  const reason = noDirectory ? `the directory ${command.cwd} does not exist` : error.message;
  return { kind: 'not-started', reason, missing: error.code === 'ENOENT' && !noDirectory, ...(!noDirectory && { cause: error }) };
}

function stopOn(child: ChildProcess, options: RunOptions) {
  let killTimer: NodeJS.Timeout | undefined;
  const stopper: { cause: ProcessOutcome | undefined; clear(): void } = {
    cause: undefined,
    clear() {
      clearTimeout(timer);
      clearTimeout(killTimer);
      options.signal?.removeEventListener('abort', onAbort);
    },
  };
  const stop = (cause: ProcessOutcome) => {
    if (stopper.cause !== undefined) return;
    stopper.cause = cause;
    signalGroup(child, 'SIGTERM');
    killTimer = setTimeout(() => {
      signalGroup(child, 'SIGKILL');
      // A process that left the group stays alive and keeps the output open, so do not wait for it.
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, KILL_AFTER_MS);
  };
  const onAbort = () => stop({ kind: 'aborted' });
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => stop({ kind: 'timeout' }), options.timeoutMs);
  options.signal?.addEventListener('abort', onAbort, { once: true });
  return stopper;
}

/** A group that has ended is not an error. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) trySignal(-child.pid, signal);
}
