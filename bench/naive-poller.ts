import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** The simplest possible poller: one process per pane per second. It prints a line after each round. */
const [socket = '', ...sessions] = process.argv.slice(2);
for (;;) {
  const next = performance.now() + 1_000;
  await Promise.all(sessions.map(capture));
  console.log('round');
  await sleep(Math.max(0, next - performance.now()));
}

function capture(session: string): Promise<void> {
  return new Promise((resolve) => {
    execFile('tmux', ['-S', socket, 'capture-pane', '-p', '-t', `=${session}:`], () => resolve());
  });
}
