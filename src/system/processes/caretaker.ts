import { spawn } from 'node:child_process';

export interface Caretaker {
  /** Ends the caretaker without its script, after the clean-up was done here. */
  dismiss(): void;
}

/**
 * Starts a shell script in its own session that waits until this process has ended, for any reason. Its input is a
 * pipe that only this process holds, and the kernel closes it also after `kill -9`. `words` are its "$1", "$2", …
 */
export function startCaretaker(script: string, words: readonly string[]): Caretaker {
  const child = spawn('/bin/sh', ['-c', `cat >/dev/null\n${script}`, 'sh', ...words], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Continue without a caretaker: the next run finds what is left.
  child.once('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  // An open pipe would keep this process alive, like the child itself.
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return {
    dismiss() {
      child.kill('SIGKILL');
    },
  };
}
