import { spawn } from 'node:child_process';
import type { Command } from '../../base/command.ts';
import type { LineProcess } from '../../base/ports.ts';
import { environment } from './environment.ts';

/** A program with a longer line is not one that llmc knows; it is ended before its line fills the memory. */
const LONGEST_LINE_CHARS = 16 * 1024 * 1024;

/** Starts a long-running program that llmc writes to and reads line by line. */
export function startLineProcess(command: Command, onLine: (line: string) => void, onEnd: () => void): LineProcess {
  const child = spawn(command.file, command.args, { cwd: command.cwd, env: environment(command.env), stdio: ['pipe', 'pipe', 'ignore'] });
  let partial = '';
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    const lines = (partial + text).split('\n');
    partial = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (partial.length > LONGEST_LINE_CHARS) child.kill('SIGKILL');
  });
  // Ignore failed writes, because the end of the program reports itself.
  child.stdin.on('error', () => undefined);
  child.once('error', end);
  child.once('close', end);
  return {
    send: (lines) => {
      if (!ended) child.stdin.write(lines);
    },
    stop: () => {
      child.stdin.end();
      child.kill('SIGTERM');
    },
  };
}
