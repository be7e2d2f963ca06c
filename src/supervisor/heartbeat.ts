import { messageOf } from '../base/error.ts';
import type { Instant } from '../base/ports.ts';
import { recordHeartbeat } from '../store/tables/heartbeat.ts';
import type { WorkContext } from '../workers/context.ts';

/** Each record waits for the disk once. The loop makes several passes per second. */
const RECORD_EVERY_MS = 15_000;

/** The sign of life of the loop, given after each pass: kept in memory for the questions of callers, and on disk for everybody else. */
export class Heartbeat {
  readonly #context: Pick<WorkContext, 'store' | 'clock' | 'say'>;
  readonly #onRecord: () => void;
  #lastPassAt: Instant;
  #recordedAt: Instant | undefined;
  #problem: string | undefined;

  /** `onRecord` is called at the rhythm of the records, also when the disk is full. */
  constructor(context: Pick<WorkContext, 'store' | 'clock' | 'say'>, onRecord: () => void = () => undefined) {
    this.#context = context;
    this.#onRecord = onRecord;
    this.#lastPassAt = context.clock.now();
  }

  get lastPassAt(): Instant {
    return this.#lastPassAt;
  }

  beat(): void {
    const { store, clock, say } = this.#context;
    const now = clock.now();
    this.#lastPassAt = now;
    // A clock that was set back must not end the records.
    if (this.#recordedAt !== undefined && now >= this.#recordedAt && now - this.#recordedAt < RECORD_EVERY_MS) return;
    this.#recordedAt = now;
    this.#onRecord();
    try {
      recordHeartbeat(store.database, { pid: process.pid, at: now });
      this.#problem = undefined;
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== this.#problem) say(`cannot record the heartbeat: ${problem}`);
      this.#problem = problem;
    }
  }
}
