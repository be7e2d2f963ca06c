import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Command } from '../../base/command.ts';
import { environment } from './environment.ts';

/** Runs a program in this terminal until it ends. Returns its exit status. */
export async function runInteractive(command: Command): Promise<number> {
  return await new Promise((resolve, reject) => {
    const child = spawn(command.file, command.args, { stdio: 'inherit', cwd: command.cwd, env: environment(command.env) });
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
}

/** The same with text on its standard input, as for a pager. False when it could not be started. */
export async function pipeInto(command: Command, text: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const child = spawn(command.file, command.args, { stdio: ['pipe', 'inherit', 'inherit'], env: environment(command.env) });
    child.once('error', () => resolve(false));
    child.once('exit', (status) => resolve(status === 0));
    // A pager closes the pipe if the person quits early.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}

/** Whether this process has a controlling terminal, also if its output goes elsewhere. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false;
  }
}
