import { rmSync } from 'node:fs';

/** A recording that is cut short leaves no folder behind. */
export function forgetAtExit(folder: string): Disposable {
  const forget = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  process.once('exit', forget);
  return { [Symbol.dispose]: () => void process.off('exit', forget) };
}
