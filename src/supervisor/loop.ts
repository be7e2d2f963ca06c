import { dirname } from 'node:path';
import { formatAge } from '../base/duration.ts';
import type { Instant } from '../base/ports.ts';
import { refusalText } from '../base/refusal-text.ts';
import { hasSlept, isSettling, SETTLE_MS } from '../recovery/has-slept.ts';
import type { Trouble } from '../store/attention.ts';
import { announcesReport } from '../store/spool.ts';
import { nextState } from '../store/tables/deliveries.ts';
import type { WorkContext } from '../workers/context.ts';
import { isAway } from '../workers/tasks/owner.ts';
import { diedWithOthers, suspectMassDeath } from './assess/mass-death.ts';
import { bringUp } from './bring-up.ts';
import { refusedForRun } from './failures/run-exit.ts';
import { FolderWatches } from './folder-watches.ts';
import { endLimits } from './limits/parking.ts';
import type { Fleet } from './observe/fleet.ts';
import { observe, readReports } from './observe/observe.ts';
import { CLOSE_MS, IDLE_MS, isDue, nextPollAt, pollEveryMs, RETRY_MS, reportIsEnough, TROUBLED_MS } from './observe/polling.ts';
import { closeConnection } from './observe/protocol-session.ts';
import { doubtEnd } from './observe/tmux-watch.ts';
import { newWatch, type Watch } from './observe/watch.ts';
import { type Unwritable, WriteWatch } from './observe/write-watch.ts';
import { stepWorker } from './step.ts';
import { Troubles } from './troubles.ts';

/** Observes, assesses, decides and acts for every worker of a root, until it is stopped. */
export class Supervisor implements Fleet {
  readonly #context: WorkContext;
  readonly #watches: Map<string, Watch>;
  readonly #troubles: Troubles;
  readonly #folders: FolderWatches;
  readonly #onPass: () => void;
  readonly #writes: WriteWatch;
  readonly #starting = new Set<string>();
  readonly #retryAt = new Map<string, Instant>();
  /** Workers whose agents have reported something since the last pass. */
  readonly #reported = new Set<string>();
  readonly #onStep: ((name: string) => void)[] = [];
  /** Whether the last pass suspected a mass death: only the first in a row is doubted and recorded. */
  #massDeath = false;
  /** When the loop last ran, and from when on it acts again after a gap. */
  #ranAt: Instant | undefined;
  #actFrom: Instant = 0;
  /** What kept the loop waiting, until the history has it. */
  #waited: Unwritable | undefined;
  #wake = Promise.withResolvers<void>();

  /** `onPass` is called after each pass: a loop that hangs in one is silent. */
  constructor(
    context: WorkContext,
    watches: Map<string, Watch>,
    onPass: () => void = () => undefined,
    writes: WriteWatch = new WriteWatch(context),
  ) {
    this.#onPass = onPass;
    this.#writes = writes;
    writes.onEnd((before) => {
      this.#waited ??= before;
    });
    this.#context = context;
    this.#watches = watches;
    this.#troubles = new Troubles(context);
    this.#folders = new FolderWatches(context);
    // A prompt that a command has just queued is sent now, not at the next slow pass.
    context.store.onCommit(({ worker }) => this.wake(worker ?? undefined));
  }

  /** Called after each step with the worker's name. */
  onStep(listener: (name: string) => void): void {
    this.#onStep.push(listener);
  }

  watchOf(name: string): Watch | undefined {
    return this.#watches.get(name);
  }

  troubleOf(name: string): Trouble | undefined {
    return this.#troubles.of(name);
  }

  get unwritable(): Unwritable | undefined {
    return this.#writes.refused;
  }

  wake(name?: string): void {
    for (const watch of name === undefined ? this.#watches.values() : [this.#watches.get(name)]) if (watch !== undefined) watch.pollAt = 0;
    this.#wake.resolve();
  }

  adopt(name: string): void {
    if (this.#starting.has(name)) return;
    this.#forget(name);
    this.#wake.resolve();
  }

  /** Runs until the signal. A failure of one worker is recorded and tried again, and never stops the others. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, layout, locks } = this.#context;
    signal.addEventListener('abort', () => this.wake(), { once: true });
    this.#folders.add(dirname(layout.deaths), () => this.wake());
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      if (!this.#writes.mustWait()) await this.#attempt(() => this.#pass());
      this.#onPass();
      await this.#attempt(async () => this.#noteWaking());
      // Nothing wakes a loop that waits for the disk: reports of agents would make it spin.
      if (this.#writes.refused !== undefined) await clock.sleep(this.#writes.restMs(), signal).catch(() => undefined);
      else await Promise.race([this.#wake.promise, clock.sleep(this.#restMs(), signal).catch(() => undefined)]);
    }
    await Promise.all([...this.#watches.keys()].map((name) => locks.withLock(name, async () => undefined)));
    this.#folders.removeAll();
    for (const { protocol } of this.#watches.values()) closeConnection(protocol);
  }

  /** A failure of the loop itself does not end it. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.#trouble(null, error));
  }

  /** After a time in which nothing could be written. The agents were not observed, so their silence does not count. */
  #noteWriting(): void {
    const { clock, store } = this.#context;
    if (this.#waited === undefined) return;
    const { refusal, since } = this.#waited;
    const now = clock.now();
    const summary = `llmc could not write for ${formatAge(now - since)}: ${refusalText(refusal)}. It can now, and continues`;
    store.commit({ worker: null, kind: 'trouble', summary });
    this.#waited = undefined;
    if (hasSlept(since, now)) this.#actFrom = now + SETTLE_MS;
    for (const watch of this.#watches.values()) watch.wokeAt = now;
    this.wake();
  }

  /**
   * After a gap, such as of a suspended laptop, the times of the records say nothing: the agents first get a moment. A machine is also
   * suspended in the middle of a pass, which waits for tmux.
   */
  #noteWaking(): void {
    const { clock, store } = this.#context;
    const now = clock.now();
    const before = this.#ranAt;
    this.#ranAt = now;
    if (!hasSlept(before, now)) return;
    this.#actFrom = now + SETTLE_MS;
    for (const watch of this.#watches.values()) watch.wokeAt = now;
    const asleep = formatAge(now - (before ?? now));
    store.commit({
      worker: null,
      kind: 'observe',
      summary: `this machine or the supervisor was suspended for ${asleep}; observing before acting`,
    });
  }

  /** Until the next worker is due. A locked worker is observed when its lock is free. */
  #restMs(): number {
    const { clock, locks } = this.#context;
    const now = clock.now();
    const waits = this.#settled().map(({ name, pollAt }) => (locks.isLocked(name) ? CLOSE_MS : pollAt - now));
    return Math.max(0, Math.min(IDLE_MS, ...waits));
  }

  /** Observe, then assess, decide and act (`stepWorker`) for each worker observed. */
  async #pass(): Promise<void> {
    const { store, clock, locks } = this.#context;
    this.#noteWriting();
    this.#noteWaking();
    // A disk that cannot take the file cannot take what the agents write either.
    if (this.#writes.suspects(store.syncFile())) return;
    endLimits(this.#context);
    this.#keepWatches();
    this.#stepReported();
    const settled = this.#settled();
    const now = clock.now();
    const due = settled.filter((watch) => isDue(watch.pollAt, now) && !locks.isLocked(watch.name));
    // A failure to observe is over only when a worker could be observed.
    if (due.length === 0) return settled.length === 0 ? this.#troubles.clear(null) : undefined;
    // This also holds for workers that cannot be observed this time. A worker that is woken meanwhile stays due.
    for (const watch of due) watch.pollAt = nextPollAt(now, CLOSE_MS);
    const observed = await observe(this.#context, settled, new Set(due), (name, error) => this.#trouble(name, error));
    this.#noteWaking();
    if (this.#isInconclusive(settled) || isSettling(this.#actFrom, clock.now())) return;
    for (const watch of observed) this.#step(watch);
    this.#troubles.clear(null);
  }

  /** When most of the fleet seems dead at once, observe again before acting on it. */
  #isInconclusive(settled: readonly Watch[]): boolean {
    const { store } = this.#context;
    const statusOf = (name: string) => store.state.workers[name]?.status;
    const massDeath = suspectMassDeath(settled, statusOf);
    const doubtful = massDeath && !this.#massDeath;
    this.#massDeath = massDeath;
    for (const watch of settled) watch.diedWithOthers = diedWithOthers(watch, settled, statusOf, massDeath);
    if (!doubtful) return false;
    for (const watch of settled) doubtEnd(watch);
    store.commit({ worker: null, kind: 'observe', summary: 'most of the fleet seems dead; observing again before acting' });
    return true;
  }

  #noteReported(name: string): void {
    this.#reported.add(name);
    this.#wake.resolve();
    // Check also in the middle of a pass: more workers make a pass longer.
    this.#context.scheduler.soon(() => this.#stepReported());
  }

  /** A report alone needs no question to tmux, unless llmc is about to type a prompt. */
  #stepReported(): void {
    const { store, locks, signal } = this.#context;
    if (signal.aborted || this.#reported.size === 0 || this.unwritable !== undefined) return;
    for (const watch of this.#settled()) {
      if (!this.#reported.delete(watch.name)) continue;
      try {
        if (locks.isLocked(watch.name) || !reportIsEnough(watch, nextState(store.database, watch.name))) watch.pollAt = 0;
        else this.#step(watch, true);
      } catch (error) {
        this.#trouble(watch.name, error);
      }
    }
  }

  #step(watch: Watch, reportedOnly = false): void {
    void this.#context.locks
      .withLock(watch.name, async () => {
        if (reportedOnly) await readReports(this.#context, watch);
        const acted = await stepWorker(this.#context, watch, () => this.#noteReported(watch.name));
        if (acted) watch.pollAt = 0;
        else if (watch.pollAt !== 0) watch.pollAt = reportedOnly ? Math.min(watch.pollAt, this.#nextPoll(watch)) : this.#nextPoll(watch);
        for (const listener of this.#onStep) listener(watch.name);
        this.#troubles.clear(watch.name);
      })
      .catch((error: unknown) => this.#trouble(watch.name, error))
      // Wait until the lock is free: the loop passes over a locked worker.
      .then(() => this.#wake.resolve());
  }

  #settled(): readonly Watch[] {
    return [...this.#watches.values()].filter((watch) => !this.#starting.has(watch.name));
  }

  #nextPoll(watch: Watch): Instant {
    const { store, clock } = this.#context;
    const status = store.state.workers[watch.name]?.status ?? 'offline';
    return nextPollAt(clock.now(), pollEveryMs(watch, status, nextState(store.database, watch.name)));
  }

  /** Keeps a watch for every worker that does not rest: starts those that were added or woken, and forgets those that are gone or rest. */
  #keepWatches(): void {
    const { store, clock } = this.#context;
    for (const name of this.#watches.keys())
      if (!Object.hasOwn(store.state.workers, name) || (isAway(store.worker(name)) && !this.#starting.has(name))) this.#forget(name);
    const now = clock.now();
    for (const { name, incarnation, run } of Object.values(store.state.workers)) {
      if (run?.resting === true || this.#watches.has(name) || !isDue(this.#retryAt.get(name) ?? 0, now, RETRY_MS)) continue;
      this.#start(newWatch(name, { incarnation, launchedAt: now, resumed: false }));
    }
  }

  #start(watch: Watch): void {
    const { locks, layout, clock, files } = this.#context;
    const { name } = watch;
    this.#watches.set(name, watch);
    this.#starting.add(name);
    void locks
      .withLock(name, async () => {
        const spool = layout.spool(name);
        files.makeFolder(spool);
        this.#folders.add(spool, (file) => {
          if (!this.#reported.has(name) && announcesReport(files, spool, file)) this.#noteReported(name);
        });
        await bringUp(this.#context, watch);
        this.#troubles.clear(name);
      })
      .catch(async (error: unknown) => {
        this.#retryAt.set(name, clock.now() + RETRY_MS);
        this.#forget(name);
        if (!(await refusedForRun(this.#context, name, error))) this.#trouble(name, error);
      })
      .finally(() => {
        this.#starting.delete(name);
        this.wake();
      });
  }

  #forget(name: string): void {
    closeConnection(this.#watches.get(name)?.protocol);
    this.#watches.delete(name);
    this.#reported.delete(name);
    this.#folders.remove(this.#context.layout.spool(name));
  }

  #trouble(name: string | null, error: unknown): void {
    if (this.#context.signal.aborted) return;
    const watch = name === null ? undefined : this.#watches.get(name);
    if (watch !== undefined) watch.pollAt = nextPollAt(this.#context.clock.now(), TROUBLED_MS);
    // A refusal that concerns the whole root is reported once for all workers.
    if (!this.#writes.suspects(error)) this.#troubles.record(name, error);
  }
}
