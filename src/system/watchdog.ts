import { Worker } from 'node:worker_threads';

export interface Watchdog extends Disposable {
  /** A sign of life. */
  feed(): void;
}

const TICKS = 10;

/** CommonJS, as `eval` of a thread needs it. */
const THREAD = `
const { workerData: { beats, tickMs, ticks, lastWords } } = require('node:worker_threads');
let seen = -1;
let silent = 0;
setInterval(() => {
  const count = Atomics.load(beats, 0);
  silent = count === seen ? silent + 1 : 0;
  seen = count;
  if (silent < ticks) return;
  require('node:fs').writeSync(2, lastWords + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, tickMs);
`;

/**
 * Kills this process if it gives no sign of life for `limitMs`, also when its event loop is blocked: the watchdog is a thread. It counts
 * its own ticks, so the hours of a suspended laptop do not count. SIGKILL, because a blocked process handles no other signal.
 */
export function startWatchdog(limitMs: number, lastWords: string): Watchdog {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(THREAD, { eval: true, workerData: { beats, tickMs: limitMs / TICKS, ticks: TICKS, lastWords } });
  thread.unref();
  return {
    feed: () => void Atomics.add(beats, 0, 1),
    [Symbol.dispose]: () => void thread.terminate(),
  };
}
