import { spawn } from 'node:child_process';

export interface Caretaker {
  /** It is not needed any more: what it would clear up is gone. */
  dismiss(): void;
}

/**
 * A shell script in a session of its own that begins its work when this process is gone, however it ended: its input is a
 * pipe only this process holds, and the kernel closes that also after `kill -9`. The words are its "$1", "$2", …
 */
export function startCaretaker(script: string, words: readonly string[]): Caretaker {
  const child = spawn('/bin/sh', ['-c', `cat >/dev/null\n${script}`, 'sh', ...words], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Nobody to clear up is no reason not to work: what stays is found by the next one.
  child.once('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  // A pipe keeps its process alive like the process itself would.
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return {
    dismiss() {
      child.kill('SIGKILL');
    },
  };
}
