import { describeError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import { runWorkerName } from '../model/run-names.ts';
import { hasEnded } from '../next/next.ts';
import { isWanted } from '../perform/perform.ts';
import type { Claim, DueTask } from '../store/ports.ts';
import { readIfSound } from '../store/read-if-sound.ts';
import { carryOut, LEASE_MS } from './carry-out.ts';
import { decideAll } from './decide.ts';
import { longestMs, type Performance } from './performance.ts';
import { freePlaces, withoutPlace } from './places.ts';
import type { EnginePorts } from './ports.ts';
import { Presence } from './presence.ts';
import { relay } from './relay.ts';
import { shareSlots } from './slots.ts';

/** One process per root owns its runs. */
const HOST = 'supervisor';
/** How long performances have to end when the supervisor stops. */
const STOP_PATIENCE_MS = 30_000;
/** After a pass that failed, for example because the disk is full. */
const RETRY_MS = 5_000;

/** A task that waits for a place among the living agents. */
export interface WaitingTask {
  readonly run: string;
  readonly step: string;
  readonly action: string;
  readonly worker: string;
  readonly since: Instant;
}

/** Moves all runs of a root: events become decisions, decisions become tasks, and performed tasks become events. */
export class Engine {
  readonly #ports: EnginePorts;
  readonly #performing = new Map<string, Performance>();
  readonly #tasks = new Set<Promise<void>>();
  /** Workers that are being put to rest. */
  readonly #resting = new Set<string>();
  /** Runs whose next event cannot be decided on. Only a new start tries again: the same decision would fail again. */
  readonly #broken = new Map<string, string>();
  readonly #presence: Presence;
  #waiting: readonly WaitingTask[] = [];
  #wake = Promise.withResolvers<void>();
  #said: string | undefined;
  #isOpen = false;

  constructor(ports: EnginePorts) {
    this.#ports = ports;
    this.#presence = new Presence(ports.lastAlive, ports.clock.now());
  }

  /** Something may have happened: a worker has moved, or an event was posted. */
  wake(): void {
    this.#wake.resolve();
  }

  /** The tasks that wait for another agent to end or to rest. */
  get waiting(): readonly WaitingTask[] {
    return this.#waiting;
  }

  /** Why a run does not move any more, by run. */
  get broken(): ReadonlyMap<string, string> {
    return this.#broken;
  }

  /** Takes back what an earlier process was performing when it ended. Shell lines that it left running must not run twice. */
  async open(): Promise<void> {
    await this.#ports.workers.endLeftChecks();
    await this.#ports.queue.takeBack(HOST);
    this.#isOpen = true;
  }

  /** Resolves when every task that was claimed is performed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#tasks);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      const sleepMs = await this.#passOrWait(signal);
      await this.#sleep(sleepMs, signal);
    }
    // One that hangs must not keep the supervisor from its end: its claim is taken back at the next start.
    const ended = new AbortController();
    const patience = this.#ports.clock.sleep(STOP_PATIENCE_MS, ended.signal).catch(() => undefined);
    await Promise.race([this.settled(), patience]);
    ended.abort();
  }

  async #passOrWait(signal: AbortSignal): Promise<number | null> {
    try {
      if (!this.#isOpen) await this.open();
      const until = await this.pass(signal);
      this.#said = undefined;
      return until === null ? null : Math.max(0, until - this.#ports.clock.now());
    } catch (error) {
      this.#sayOnce(`The runs of workflows wait: ${describeError(error)}`);
      return RETRY_MS;
    }
  }

  /** Does everything that can be done now. Returns when there is more to do without an event; null if only an event brings it. */
  async pass(signal: AbortSignal): Promise<Instant | null> {
    const { runs, queue, clock } = this.#ports;
    await relay(this.#ports);
    await this.#tellAway();
    await this.#tick();
    const { broken, hasMore } = await decideAll(this.#ports, new Set(this.#broken.keys()));
    for (const [run, error] of broken) await this.#setAside(run, error);
    await this.#dropUnwanted();
    await this.#claim(signal);
    if (hasMore) this.wake();
    const times = [await runs.nextDue(), await queue.nextAt(clock.now()), await this.#askAboutPlaces()].filter((time) => time !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** A run with an event that waits needs no tick: its decision looks at the clock too. */
  async #tick(): Promise<void> {
    const { runs, clock, random } = this.#ports;
    const now = clock.now();
    for (const run of await runs.due(now))
      await runs.post(run, { key: `tick:${now}`, at: now, dice: random.next(), what: { kind: 'tick' } });
  }

  /**
   * Ends shell lines, and waits before another try, that nothing wants any more: of a run that was aborted, of a stage that was skipped or
   * took too long. In a paused run, such a wait ends too, and its task goes back to the queue.
   */
  async #dropUnwanted(): Promise<void> {
    for (const { claim, drop, hold } of this.#performing.values()) {
      if (this.#broken.has(claim.run)) continue;
      const run = await readIfSound(this.#ports.runs, claim.run);
      // What is wrong with it, its next event brings to light.
      if (run === 'unreadable') continue;
      if (run === undefined || !isWanted(run, claim.action) || (isMessage(claim) && hasEnded(run))) drop.abort();
      if (run !== undefined && isMessage(claim) && run.pause !== null) hold.abort();
    }
  }

  /** Tells runs whose agents have waited for a place too long. Returns when it has to look again. */
  async #askAboutPlaces(): Promise<Instant | null> {
    const { runs, clock, random } = this.#ports;
    if (this.#waiting.length === 0) return null;
    const { queueTimeoutMs } = await this.#ports.policy();
    const now = clock.now();
    const times = this.#waiting.map((task) => ({
      ...task,
      times: Math.floor((now - this.#presence.countsFrom(task.since)) / queueTimeoutMs),
    }));
    for (const { run, action, times: nth } of times) {
      // Less than 0 after the clock went back.
      if (nth < 1) continue;
      const what = { kind: 'queued', action } as const;
      if (await runs.post(run, { key: `queued:${action}:${nth}`, at: now, dice: random.next(), what })) this.wake();
    }
    return Math.min(...times.map(({ since, times: nth }) => this.#presence.countsFrom(since) + (nth + 1) * queueTimeoutMs));
  }

  /** The sign of life of the supervisor's loop, which never rests for long: without it, nobody knows that the machine was suspended. */
  beat(): void {
    this.#presence.beat(this.#ports.clock.now());
  }

  /** After the reports of what happened before, and before any time is found to be over. */
  async #tellAway(): Promise<void> {
    const { runs, clock, random } = this.#ports;
    const now = clock.now();
    const ms = this.#presence.takeAway(now);
    if (ms === 0) return;
    for (const { id, status } of await runs.list())
      if (!hasEnded({ status })) await runs.post(id, { key: `away:${now}`, at: now, dice: random.next(), what: { kind: 'away', ms } });
  }

  async #claim(signal: AbortSignal): Promise<void> {
    const { queue, clock } = this.#ports;
    const limit = freePlaces([...this.#performing.values()], clock.now());
    if (limit <= 0 || signal.aborted) return;
    const claimable = await queue.claimable(clock.now());
    for (const { action } of claimable) this.#giveUpIfHung(action.id);
    const open = claimable.filter((task) => !this.#isOutOfReach(task));
    if (open.length === 0) {
      this.#waiting = [];
      return;
    }
    const outOfReach = claimable.filter((task) => this.#isOutOfReach(task)).map(({ action }) => action.id);
    const later = withoutPlace(open, [...this.#performing.values()]);
    const except = [...outOfReach, ...later.map(({ action }) => action.id), ...(await this.#withoutSlot(open))];
    const claims = await queue.claim({ host: HOST, now: clock.now(), leaseMs: LEASE_MS, limit, except });
    await this.#ports.fault('run:after-claim');
    for (const claim of claims) this.#start(claim, signal);
  }

  /**
   * A task of a run that is set aside, or one that is being performed here: after the machine was suspended its lease has run out, and a
   * second performance beside the first would empty the folders of an agent at work.
   */
  #isOutOfReach({ run, action }: DueTask): boolean {
    return this.#broken.has(run) || this.#performing.has(action.id);
  }

  /** The tasks that wait for a place. Workers without anything to do make room for them. */
  async #withoutSlot(open: readonly DueTask[]): Promise<readonly string[]> {
    const { workers, policy } = this.#ports;
    const candidates = open.flatMap((task) => {
      const worker = workerFor(task);
      return worker === undefined ? [] : [{ id: task.action.id, worker, task }];
    });
    const comingUp = [...this.#performing.values()].flatMap(({ claim }) => workerFor(claim) ?? []);
    const { maxAgents } = await policy();
    const { waiting, toRest } = shareSlots({ maxAgents, living: workers.living(), comingUp, candidates });
    this.#waiting = candidates
      .filter(({ id }) => waiting.includes(id))
      .map(({ worker, task: { run, action, since } }) => ({ run, step: action.step, action: action.id, worker, since }));
    for (const name of toRest) this.#rest(name);
    return waiting;
  }

  /** Beside the pass: a command of a person may have the worker for minutes, and no other run waits for that. */
  #rest(name: string): void {
    if (this.#resting.has(name)) return;
    this.#resting.add(name);
    const rested = this.#ports.workers.rest(name).finally(() => this.#resting.delete(name));
    this.#follow(rested, `${name} does not rest`);
  }

  #start(claim: Claim, stop: AbortSignal): void {
    const { id } = claim.action;
    const performance = { claim, since: this.#ports.clock.now(), ...newSignals() };
    this.#performing.set(id, performance);
    const carried = carryOut(this.#ports, { stop, performance, wake: () => this.wake() }).finally(() => {
      if (this.#performing.get(id) === performance) this.#performing.delete(id);
    });
    // The claim stays, and its lease runs out.
    this.#follow(carried, `A task of ${claim.run} waits`);
  }

  #follow(work: Promise<void>, problem: string): void {
    const task = work
      .catch((error: unknown) => this.#sayOnce(`${problem}: ${describeError(error)}`))
      .finally(() => {
        this.#tasks.delete(task);
        this.wake();
      });
    this.#tasks.add(task);
  }

  /** Its lease has run out. Time in which the machine was suspended does not count: then it goes on. */
  #giveUpIfHung(action: string): void {
    const performance = this.#performing.get(action);
    if (performance === undefined) return;
    const { claim, since, takenOver } = performance;
    if (this.#ports.clock.now() - this.#presence.countsFrom(since) < longestMs(claim.action.task.kind)) return;
    takenOver.abort(new Error(`${claim.run}: another performance has ${action}`));
    this.#performing.delete(action);
  }

  async #setAside(run: string, error: unknown): Promise<void> {
    const { runs, clock, say } = this.#ports;
    this.#broken.set(run, describeError(error));
    say(`${run} does not move any more: ${describeError(error)}`);
    // For `llmc why` and `llmc logs`: nobody reads the terminal of a supervisor in the background.
    await runs.note(run, `does not move any more: ${describeError(error)}; llmc up --replace --detach tries again`, clock.now());
  }

  #sayOnce(line: string): void {
    if (this.#said !== line) this.#ports.say(line);
    this.#said = line;
  }

  async #sleep(ms: number | null, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const either = AbortSignal.any([signal, woken.signal]);
    const stopped = new Promise<void>((resolve) => either.addEventListener('abort', () => resolve(), { once: true }));
    const time = ms === null ? stopped : this.#ports.clock.sleep(Math.min(ms, LONGEST_SLEEP_MS), either).catch(() => undefined);
    await Promise.race([this.#wake.promise, time, signal.aborted ? undefined : stopped]);
    woken.abort();
  }
}

/** A timer of Node holds 31 bits of milliseconds. */
const LONGEST_SLEEP_MS = 3_600_000;

function newSignals(): Pick<Performance, 'drop' | 'hold' | 'takenOver'> {
  return { drop: new AbortController(), hold: new AbortController(), takenOver: new AbortController() };
}

function isMessage({ action }: Pick<DueTask, 'action'>): boolean {
  return action.task.kind === 'follow_up' || action.task.kind === 'deliver';
}

/** The worker whose agent the task needs; undefined if it needs none. */
function workerFor({ run, action: { task } }: Pick<DueTask, 'run' | 'action'>): string | undefined {
  return task.kind === 'attempt' || task.kind === 'follow_up' ? runWorkerName(run, task.seat) : undefined;
}
