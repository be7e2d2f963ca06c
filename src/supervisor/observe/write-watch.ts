import { join } from 'node:path';
import { describeError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import { findRefusal, type Refusal } from '../../base/refusal.ts';
import { refusalText } from '../../base/refusal-text.ts';
import { recordHeartbeat } from '../../store/tables/heartbeat.ts';
import type { Reserve } from '../../system/reserve.ts';
import type { WorkContext } from '../../workers/context.ts';

/** The root of a supervisor that cannot be written for now. */
export interface Unwritable {
  readonly refusal: Refusal;
  readonly since: Instant;
}

type WriteContext = Pick<WorkContext, 'store' | 'clock' | 'files' | 'layout' | 'say'>;

/** Room for a pass of a large fleet: records, logs, `state.json`. */
const ROOM = 'x'.repeat(64 * 1024);
/** More before it counts as over: a disk with a few free blocks would be full again at once. */
const ROOM_AGAIN = 'x'.repeat(1024 * 1024);
/** Before each further look at a root that cannot be written; the last one repeats. */
const AGAIN_MS = [500, 1_000, 2_000, 5_000] as const;

/**
 * Whether the root can be written at all: a full disk, a read-only file system, a locked database or too many open files concern every
 * worker. The loop rests meanwhile, because a decision that cannot be recorded must not be acted on, and a crash that the disk has
 * caused must not count against an agent.
 */
export class WriteWatch {
  readonly #context: WriteContext;
  readonly #reserve: Pick<Reserve, 'hold' | 'release'> | undefined;
  readonly #listeners: ((change: { now: Unwritable | undefined; before: Unwritable | undefined }) => void)[] = [];
  #refused: Unwritable | undefined;
  #looks = 0;
  #lookAt: Instant = 0;
  #problem: string | undefined;

  constructor(context: WriteContext, reserve?: Pick<Reserve, 'hold' | 'release'>) {
    this.#context = context;
    this.#reserve = reserve;
  }

  get refused(): Unwritable | undefined {
    return this.#refused;
  }

  /** Calls the listener when writing becomes impossible. */
  onRefusal(listener: () => void): void {
    this.#listeners.push(({ now }) => {
      if (now !== undefined) listener();
    });
  }

  /** Calls the listener when writing is possible again, with what was in its way. */
  onEnd(listener: (before: Unwritable) => void): void {
    this.#listeners.push(({ now, before }) => {
      if (now === undefined && before !== undefined) listener(before);
    });
  }

  /** Whether the root cannot be written; looks at once if an error suggests it. */
  suspects(error: unknown): boolean {
    return findRefusal(error) !== undefined && (this.#refused !== undefined || !this.check());
  }

  /** For each pass: whether it has to wait. Costs two calls of the system while all is well. */
  mustWait(): boolean {
    if (this.#refused !== undefined) return this.restMs() > 0 || !this.check();
    try {
      this.#reserve?.hold();
      return false;
    } catch {
      return !this.check();
    }
  }

  /** Until the next look at a root that cannot be written. */
  restMs(): number {
    const last = AGAIN_MS[AGAIN_MS.length - 1] ?? 0;
    // A clock that was set back must not make the wait longer.
    return Math.min(last, Math.max(0, this.#lookAt - this.#context.clock.now()));
  }

  /** Writes a file and a row of the database for the sake of it. Returns whether that worked. */
  check(): boolean {
    const { clock } = this.#context;
    const refusal = this.#tryToWrite();
    const before = this.#refused;
    const now = clock.now();
    this.#looks = refusal === undefined ? 0 : this.#looks + 1;
    this.#lookAt = now + (AGAIN_MS[Math.min(this.#looks, AGAIN_MS.length) - 1] ?? 0);
    this.#refused = refusal && { refusal, since: before?.since ?? now };
    if ((before === undefined) !== (refusal === undefined)) this.#report(before);
    return refusal === undefined;
  }

  #report(before: Unwritable | undefined): void {
    const refused = this.#refused;
    if (refused !== undefined) this.#context.say(`${refusalText(refused.refusal)}: llmc waits until it can write again`);
    else this.#context.say('llmc can write again, and continues');
    for (const listener of this.#listeners) listener({ now: refused, before });
  }

  #tryToWrite(): Refusal | undefined {
    const { store, clock, layout, files, say } = this.#context;
    const trial = join(layout.run, 'write-test');
    try {
      this.#reserve?.hold();
      try {
        files.writePrivate(trial, this.#refused === undefined ? ROOM : ROOM_AGAIN);
      } finally {
        files.unlink(trial);
      }
      recordHeartbeat(store.database, { pid: process.pid, at: clock.now() });
      this.#problem = undefined;
      return undefined;
    } catch (error) {
      const refusal = findRefusal(error);
      if (refusal === 'too_many_files') this.#reserve?.release();
      const problem = describeError(error);
      if (refusal === undefined && problem !== this.#problem) say(`cannot record the heartbeat: ${problem}`);
      this.#problem = problem;
      return refusal;
    }
  }
}
