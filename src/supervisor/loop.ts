import { type FSWatcher, watch as watchDirectory } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { LlmcError, messageOf } from '../base/error.ts';
import type { Instant } from '../base/ports.ts';
import type { Trouble } from '../store/attention.ts';
import { nextState } from '../store/deliveries.ts';
import { ensureSpool, tellsOfReport } from '../store/spool.ts';
import type { WorkContext } from '../workers/context.ts';
import { attentionText } from '../workers/status/attention-text.ts';
import { standing } from '../workers/status/transitions.ts';
import { bringUp } from './bring-up.ts';
import { endLimits } from './limits/usage-limits.ts';
import { looksLikeMassDeath } from './observe/mass-death.ts';
import { hear, observe } from './observe/observe.ts';
import { CLOSE_MS, IDLE_MS, isDue, nextPollAt, pollEveryMs, reportIsEnough } from './observe/polling.ts';
import { closeConnection } from './observe/protocol-session.ts';
import { newWatch, type Watch } from './observe/watch.ts';
import { stepWorker } from './step.ts';

/** Before the next look at one that something is wrong with: it may be over by itself. */
const TROUBLED_MS = 1_000;
/** Before a worker that could not be brought up is tried again. */
const RETRY_MS = 5_000;

/** Observe, decide, act, for every worker of a root, until told to stop. */
export class Supervisor {
  readonly context: WorkContext;
  readonly watches = new Map<string, Watch>();
  readonly #acted: (name: string) => void;
  /** By the folder. */
  readonly #listeners = new Map<string, FSWatcher>();
  readonly #starting = new Set<string>();
  readonly #troubles = new Map<string, Trouble>();
  readonly #retryAt = new Map<string, Instant>();
  /** Whose agents have reported something since the last pass. */
  readonly #heard = new Set<string>();
  /** Whether the last pass looked like a mass death: only the first of a row is doubted and reported. */
  #massDeath = false;
  #wake = Promise.withResolvers<void>();

  /** `acted`: called after each step, for whoever looks on. */
  constructor(context: WorkContext, acted: (name: string) => void) {
    this.context = context;
    this.#acted = acted;
    // A prompt that a command has just queued goes out now, not at the next slow pass.
    context.store.onCommit(({ worker }) => this.wake(worker ?? undefined));
  }

  /** What went wrong with a worker in the last pass, if anything did. */
  troubleOf(name: string): Trouble | undefined {
    return this.#troubles.get(name);
  }

  /** Has this worker, or everybody, looked at now. */
  wake(name?: string): void {
    for (const watch of name === undefined ? this.watches.values() : [this.watches.get(name)]) if (watch !== undefined) watch.pollAt = 0;
    this.#wake.resolve();
  }

  /** Runs until the signal; what fails for one worker is told and tried again, and never stops the others. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.wake(), { once: true });
    this.#listen(dirname(this.context.layout.deaths), () => this.wake());
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers<void>();
      await this.#pass().catch((error: unknown) => this.#trouble('', error));
      await Promise.race([this.#wake.promise, this.context.clock.sleep(this.#restMs(), signal).catch(() => undefined)]);
    }
    await Promise.all([...this.watches.keys()].map((name) => this.context.locks.withLock(name, async () => undefined)));
    for (const listener of this.#listeners.values()) listener.close();
    for (const { protocol } of this.watches.values()) closeConnection(protocol);
  }

  /** Until the next look anybody is due for. A worker somebody has in hand is looked at when they let go. */
  #restMs(): number {
    const { clock, locks } = this.context;
    const now = clock.now();
    const waits = this.#settled().map(({ name, pollAt }) => (locks.isLocked(name) ? CLOSE_MS : pollAt - now));
    return Math.max(0, Math.min(IDLE_MS, ...waits));
  }

  async #pass(): Promise<void> {
    this.context.store.syncFile();
    endLimits(this.context);
    this.#keepWatches();
    this.#listenToReports();
    const settled = this.#settled();
    const now = this.context.clock.now();
    const due = settled.filter((watch) => isDue(watch.pollAt, now) && !this.context.locks.isLocked(watch.name));
    if (due.length === 0) return;
    // Also for those who cannot be seen this time; whoever is woken meanwhile stays due.
    for (const watch of due) watch.pollAt = nextPollAt(now, CLOSE_MS);
    const seen = await observe(this.context, settled, new Set(due), (name, error) => this.#trouble(name, error));
    const { store } = this.context;
    const massDeath = looksLikeMassDeath(settled, (name) => store.state.workers[name]?.status);
    const lookAgain = massDeath && !this.#massDeath;
    this.#massDeath = massDeath;
    if (lookAgain) store.commit({ worker: null, kind: 'observe', summary: 'most of the fleet looks dead; looking again before acting' });
    else for (const watch of seen) this.#step(watch);
  }

  #hear(name: string): void {
    this.#heard.add(name);
    this.#wake.resolve();
    // Also in the middle of a pass: the more workers there are, the longer that takes.
    setImmediate(() => this.#listenToReports());
  }

  #listenToReports(): void {
    if (this.context.signal.aborted || this.#heard.size === 0) return;
    for (const watch of this.#settled()) {
      if (!this.#heard.delete(watch.name)) continue;
      try {
        this.#listenTo(watch);
      } catch (error) {
        this.#trouble(watch.name, error);
      }
    }
  }

  /** A report alone costs no question to tmux, unless somebody is about to type. */
  #listenTo(watch: Watch): void {
    const { store, locks } = this.context;
    if (locks.isLocked(watch.name) || !reportIsEnough(watch, nextState(store.database, watch.name))) watch.pollAt = 0;
    else this.#step(watch, true);
  }

  #step(watch: Watch, listen = false): void {
    void this.context.locks
      .withLock(watch.name, async () => {
        if (listen) await hear(this.context, watch);
        if (await stepWorker(this.context, watch, () => this.#hear(watch.name))) watch.pollAt = 0;
        else if (watch.pollAt !== 0) watch.pollAt = listen ? Math.min(watch.pollAt, this.#nextLook(watch)) : this.#nextLook(watch);
        this.#acted(watch.name);
        this.#clearTrouble(watch.name);
      })
      .catch((error: unknown) => this.#trouble(watch.name, error))
      // Once the hand is free: the loop passes over a worker somebody has in hand.
      .then(() => this.#wake.resolve());
  }

  #settled(): readonly Watch[] {
    return [...this.watches.values()].filter((watch) => !this.#starting.has(watch.name));
  }

  #nextLook(watch: Watch): Instant {
    const { store, clock } = this.context;
    const status = store.state.workers[watch.name]?.status ?? 'offline';
    return nextPollAt(clock.now(), pollEveryMs(watch, status, nextState(store.database, watch.name)));
  }

  /** A watch for every worker of the state: those added while the supervisor runs are started, those removed are forgotten. */
  #keepWatches(): void {
    const { store, clock } = this.context;
    for (const name of this.watches.keys()) {
      if (!Object.hasOwn(store.state.workers, name)) this.#forget(name);
    }
    for (const worker of Object.values(store.state.workers)) {
      if (this.watches.has(worker.name) || clock.now() < (this.#retryAt.get(worker.name) ?? 0)) continue;
      this.#start(newWatch(worker.name, worker.incarnation, clock.now()));
    }
  }

  #start(watch: Watch): void {
    const { name } = watch;
    this.watches.set(name, watch);
    this.#starting.add(name);
    void this.context.locks
      .withLock(name, async () => {
        const spool = this.context.layout.spool(name);
        ensureSpool(spool);
        this.#listen(spool, (file) => {
          if (!this.#heard.has(name) && tellsOfReport(spool, file)) this.#hear(name);
        });
        await bringUp(this.context, watch);
        this.#clearTrouble(name);
      })
      .catch((error: unknown) => {
        this.#retryAt.set(name, this.context.clock.now() + RETRY_MS);
        this.#forget(name);
        this.#trouble(name, error);
      })
      .finally(() => {
        this.#starting.delete(name);
        this.wake();
      });
  }

  /** Only for speed: every look sees what is told there, so a system that has no watches left to give takes nothing away. */
  #listen(folder: string, heard: (file: string | null) => void): void {
    try {
      const listener = watchDirectory(folder, (_, file) => heard(file));
      listener.on('error', () => listener.close());
      this.#listeners.set(folder, listener);
    } catch (error) {
      this.context.say(`What is told in ${folder} is heard at the next look only: ${messageOf(error)}`);
    }
  }

  #forget(name: string): void {
    closeConnection(this.watches.get(name)?.protocol);
    this.watches.delete(name);
    this.#heard.delete(name);
    const spool = this.context.layout.spool(name);
    this.#listeners.get(spool)?.close();
    this.#listeners.delete(spool);
  }

  #clearTrouble(name: string): void {
    const problem = this.#troubles.get(name);
    if (problem === undefined) return;
    this.#troubles.delete(name);
    this.context.store.commit({ worker: name, kind: 'trouble', summary: `over: ${attentionText(name, problem)}` });
  }

  /** The same trouble is told once, not once per pass. */
  #trouble(name: string, error: unknown): void {
    if (this.context.signal.aborted) return;
    const trouble = troubleFrom(error);
    const watch = this.watches.get(name);
    if (watch !== undefined) watch.pollAt = nextPollAt(this.context.clock.now(), TROUBLED_MS);
    if (isDeepStrictEqual(this.#troubles.get(name), trouble)) return;
    this.#troubles.set(name, trouble);
    const problem = attentionText(name, trouble);
    try {
      this.context.store.commit({
        worker: name === '' ? null : name,
        kind: 'trouble',
        summary: problem,
        state: (draft) => {
          const record = draft.workers[name];
          // Elsewhere what stands there is kept: the trouble shows over it as long as it lasts.
          if (record?.status === 'offline' && standing(record) === 'idle') record.attention = trouble;
        },
      });
    } catch (reason) {
      this.context.say(`cannot record "${problem}": ${messageOf(reason)}`);
    }
  }
}

function troubleFrom(error: unknown): Trouble {
  return { kind: 'trouble', message: messageOf(error), hint: error instanceof LlmcError ? (error.hint ?? null) : null };
}
