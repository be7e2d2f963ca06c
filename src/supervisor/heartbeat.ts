import type { Clock, Instant } from '../base/ports.ts';

/** Each record waits for the disk once. The loop makes several passes per second. */
const RECORD_EVERY_MS = 15_000;

/** The sign of life of the loop, given after each pass: kept in memory for the questions of callers, and on disk for everybody else. */
export class Heartbeat {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #record: () => void;
  #lastPassAt: Instant;
  #recordedAt: Instant | undefined;

  /** `record` is called once in a while, also when the disk is full. */
  constructor(clock: Pick<Clock, 'now'>, record: () => void) {
    this.#clock = clock;
    this.#record = record;
    this.#lastPassAt = clock.now();
  }

  get lastPassAt(): Instant {
    return this.#lastPassAt;
  }

  beat(): void {
    const now = this.#clock.now();
    this.#lastPassAt = now;
    // A clock that was set back must not end the records.
    if (this.#recordedAt !== undefined && now >= this.#recordedAt && now - this.#recordedAt < RECORD_EVERY_MS) return;
    this.#recordedAt = now;
    this.#record();
  }
}
