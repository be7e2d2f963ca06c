import { setTimeout as realTime, setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { Instant } from '../../src/base/ports.ts';

/** A simulated process: what it waits for never comes once it has ended. */
export interface Life {
  ended: boolean;
}

interface Timer {
  readonly at: Instant;
  readonly life: Life;
  readonly resolve: () => void;
}

const LOADING_MS = 60_000;

/** The clock of a simulated night: it stands still while anything runs, and then goes to the next moment for which a process waits. */
export class NightClock {
  #now: Instant = Date.now();
  #programs = 0;
  readonly #timers = new Set<Timer>();

  now(): Instant {
    return this.#now;
  }

  sleep(ms: number, life: Life, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (life.ended) return promise;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const timer = { at: this.#now + Math.max(0, Math.round(ms)), life, resolve };
    this.#timers.add(timer);
    signal?.addEventListener('abort', () => this.#timers.delete(timer) && reject(signal.reason), { once: true });
    return promise;
  }

  /** A real program, such as git: the clock stands still until it has ended. */
  async program<Result>(work: Promise<Result>, life: Life): Promise<Result> {
    this.#programs += 1;
    try {
      const result = await work;
      return life.ended ? await new Promise<never>(() => undefined) : result;
    } finally {
      this.#programs -= 1;
    }
  }

  /** Every process sleeps, and only the clock goes on. */
  suspend(ms: number): void {
    this.#now += ms;
  }

  /** Goes to the next moment for which a process waits. */
  async tick(): Promise<void> {
    await this.#untilSomethingWaits();
    const due = [...this.#timers].filter((timer) => !timer.life.ended || !this.#timers.delete(timer));
    const next = Math.min(...due.map(({ at }) => at));
    if (!Number.isFinite(next)) throw new Error('no process waits for anything');
    this.#now = Math.max(this.#now, next);
    for (const timer of due) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.resolve();
    }
    await this.#settle();
  }

  /** A process that loads a module waits for nothing that shows here. It needs real time, on a busy machine more of it. */
  async #untilSomethingWaits(): Promise<void> {
    const nothingWaits = () => [...this.#timers].every(({ life }) => life.ended);
    for (const end = Date.now() + LOADING_MS; nothingWaits() && Date.now() < end; await realTime(1)) await this.#settle();
  }

  async #settle(): Promise<void> {
    for (let quiet = 0; quiet < 2; ) {
      await turnOfTheLoop();
      const isBusy = this.#programs > 0 || process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq') || kind === 'CloseReq');
      quiet = isBusy ? 0 : quiet + 1;
    }
  }
}
