import type { Instant } from '../../base/ports.ts';
import { hasSlept } from '../../recovery/has-slept.ts';

/** Knows for how long nothing ran here: before this process, and while the machine was suspended. */
export class Presence {
  #aliveAt: Instant | undefined;
  /** Times before it are times of an earlier presence. */
  #since: Instant;
  #awayMs = 0;

  /** `last`: the last sign of life of an earlier process. */
  constructor(last: Instant | undefined, now: Instant) {
    this.#since = now;
    if (hasSlept(last, now)) this.#awayMs = now - (last ?? now);
  }

  /** Called every few seconds. A longer gap is a time in which nothing ran. */
  beat(now: Instant): void {
    const before = this.#aliveAt;
    this.#aliveAt = now;
    if (!hasSlept(before, now)) return;
    this.#awayMs += now - (before ?? now);
    this.#since = now;
  }

  /** How long nothing ran, once. */
  takeAway(now: Instant): number {
    // The engine may wake before the loop that beats.
    if (this.#aliveAt !== undefined) this.beat(now);
    const ms = this.#awayMs;
    this.#awayMs = 0;
    return ms;
  }

  /** From when a wait that began then counts. */
  countsFrom(began: Instant): Instant {
    return Math.max(began, this.#since);
  }
}
