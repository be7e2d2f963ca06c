import type { Clock } from '../../base/ports.ts';

const NOON = 1_800_000_000_000;

/** A clock that moves only when it is told to. */
export class TestClock implements Clock {
  at = NOON;
  readonly #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

  now(): number {
    return this.at;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { until: this.at + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(new Error('aborted'));
      });
    });
  }

  pass(ms: number): void {
    this.at += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.until > this.at) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}
