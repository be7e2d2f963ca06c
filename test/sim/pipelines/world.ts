import type { Database } from '../../../src/store/database.ts';
import { SqliteCheckpoints } from '../../../src/workflow/checkpoint/sqlite-checkpoints.ts';
import { cachedRuns } from '../../../src/workflow/engine/cached-runs.ts';
import { shareSlots } from '../../../src/workflow/engine/slots.ts';
import type { Action } from '../../../src/workflow/model/action.ts';
import type { RunEvent, What } from '../../../src/workflow/model/event.ts';
import { newRun } from '../../../src/workflow/model/new-run.ts';
import type { Run } from '../../../src/workflow/model/run.ts';
import { hasEnded, next } from '../../../src/workflow/next/next.ts';
import { POLICY } from '../../../src/workflow/next/samples.ts';
import { wakeAt } from '../../../src/workflow/next/time/wake-at.ts';
import type { Decision, RunPolicy } from '../../../src/workflow/next/turn.ts';
import { isWanted } from '../../../src/workflow/perform/perform.ts';
import { planRecovery } from '../../../src/workflow/recover/plan-recovery.ts';
import type { Claim, RunStore } from '../../../src/workflow/store/ports.ts';
import { SqliteQueue } from '../../../src/workflow/store/sqlite-queue.ts';
import { SqliteRuns } from '../../../src/workflow/store/sqlite-runs.ts';
import { Agents } from './agents.ts';
import { Dice } from './dice.ts';
import { MainBranch } from './main-branch.ts';
import { interruption, People } from './people.ts';
import type { Pipeline } from './plan.ts';

const START = 1_800_000_000_000;
const LEASE_MS = 60_000;
const MINUTE_MS = 60_000;
const MOST_AT_ONCE = 4;
const MOST_RECOVERIES = 3;
const RUN = 'pipe-1';

/** Tempting answers for every kind of question: those that wait for a person must not take them. */
const ANSWERS = Object.fromEntries(
  Object.entries({
    approval: 'approve',
    blocked: 'skip',
    crash: 'restart',
    compensation: 'rollback',
    quality_floor: 'accept',
    timeout: 'extend',
    circuit_breaker: 'skip',
    invalid_output: 'skip',
    unavailable: 'skip',
    unmet: 'skip',
    failed: 'restart',
  }).map(([type, option]) => [type, { option, afterMs: 5 * MINUTE_MS }]),
);

/** What watches the run. Each sees every moment and throws at one that must not be. */
export interface Watch {
  /** A decision that was committed. */
  decided(before: Run, event: RunEvent, decision: Decision, policy: RunPolicy, at: number): void;
  /** A claimed task takes effect, for the first time. */
  performed(action: Action, run: Run): void;
  /** How many agents live. */
  living(agents: number, most: number): void;
  /** Nothing moves by itself: no event, no task, no time. */
  still(run: Run): void;
  /** What a new process reads, and what the one before it had in memory. */
  restarted(stored: Run, kept: Run): void;
  /** The run has ended, and everything that was under way has been reported. `main`: the commits that main has of it. */
  over(run: Run, main: readonly string[]): void;
}

/** One run of a random pipeline with real storage, on a virtual clock. The engine is killed between any two of its steps. */
export class PipelineWorld {
  readonly #dice: Dice;
  readonly #database: Database;
  readonly #stored: SqliteRuns;
  readonly #wrap: (runs: RunStore) => RunStore;
  readonly #queue: SqliteQueue;
  readonly #watch: Watch;
  readonly #agents: Agents;
  readonly #people: People;
  readonly #main = new MainBranch();
  readonly #policy: RunPolicy;
  readonly #maxAgents: number;
  /** Events that an agent or a person has caused and nobody has relayed, possibly twice and in any order. */
  readonly #outside: What[] = [];
  readonly #performed = new Set<string>();
  #runs: RunStore;
  #run: Run;
  #undecided = 1;
  #mayClaim = true;
  #now = START;
  #keys = 0;
  #recoveries = 0;
  commits = 0;

  constructor(database: Database, pipeline: Pipeline, random: () => number, watch: Watch, wrap: (runs: RunStore) => RunStore) {
    this.#dice = new Dice(random);
    this.#database = database;
    this.#watch = watch;
    this.#wrap = wrap;
    this.#stored = new SqliteRuns(database);
    this.#queue = new SqliteQueue(database);
    this.#runs = this.#process();
    this.#agents = new Agents(this.#dice, pipeline, this.#main);
    this.#people = new People(this.#dice, this.#main);
    this.#maxAgents = this.#dice.from(1, 4);
    this.#policy = {
      ...POLICY,
      answers: ANSWERS,
      stageTimeoutMs: 60 * MINUTE_MS,
      checkpointEveryMs: 30 * MINUTE_MS,
      providers: { failures: 3, retryAfterMs: 10 * MINUTE_MS, states: {}, defaultAgent: 'claude', accountOf: (agent) => agent },
    };
    this.#run = newRun(RUN, pipeline.plan, pipeline.inputs, START);
    void this.#stored.create(this.#run, { key: 'begin', at: START, dice: random(), what: { kind: 'begin' } });
  }

  get now(): number {
    return this.#now;
  }

  async live(steps: number): Promise<Run> {
    for (let step = 0; step < steps; step += 1) {
      if (hasEnded(this.#run) && this.#undecided === 0 && !(await this.#recover())) break;
      await this.#move();
    }
    await this.#drain();
    await this.#hear();
    return this.#run;
  }

  /** The stores of one process, with nothing in memory. */
  #process(): RunStore {
    const { create, load, list, post, undecided, commit, note, due, nextDue, providers, retried } = this.#stored;
    const plain = { create, load, list, post, undecided, commit, note, due, nextDue, providers, retried };
    const bound = Object.fromEntries(Object.entries(plain).map(([name, method]) => [name, method.bind(this.#stored)]));
    return cachedRuns(this.#wrap({ ...plain, ...bound }));
  }

  async #move(): Promise<void> {
    if (this.#dice.happens(0.01)) return await this.#restart();
    if (this.#dice.happens(0.01) && !hasEnded(this.#run)) return await this.#interrupt();
    const moves = [
      ...(this.#undecided > 0 ? [() => this.#decide(), () => this.#decide()] : []),
      ...(this.#mayClaim ? [() => this.#perform(), () => this.#perform()] : []),
      ...(this.#outside.length > 0 ? [() => this.#relay(), () => this.#relay()] : []),
      ...(this.#people.wants(this.#run) ? [() => this.#answer()] : []),
    ];
    const move = moves[this.#dice.from(0, moves.length)];
    await (move === undefined ? this.#pass(moves.length === 0) : move());
  }

  async #post(key: string, what: What): Promise<boolean> {
    const posted = await this.#runs.post(RUN, { key, at: this.#now, dice: this.#dice.random(), what });
    if (posted) this.#undecided += 1;
    return posted;
  }

  /** An event with a key of its own. */
  async #tell(what: What): Promise<void> {
    this.#keys += 1;
    await this.#post(`k${this.#keys}`, what);
  }

  async #decide(): Promise<void> {
    const [pending] = await this.#runs.undecided();
    if (pending === undefined || !('event' in pending)) throw new Error('an event is lost');
    const before = (await this.#runs.load(RUN)) ?? this.#run;
    const providers = this.#policy.providers && { ...this.#policy.providers, states: await this.#runs.providers() };
    const policy = { ...this.#policy, ...(providers && { providers }) };
    const decision = next(before, pending.event, policy);
    // Killed before the commit.
    if (this.#dice.happens(0.02)) return;
    const commit = { version: before.version, event: pending.event.key, decision, at: this.#now };
    if (!(await this.#runs.commit({ ...commit, wakeAt: wakeAt(decision.run, policy, pending.event.at) })))
      throw new Error('nobody else commits');
    this.commits += 1;
    this.#undecided -= 1;
    this.#run = (await this.#runs.load(RUN)) ?? decision.run;
    // To look into the queue takes most of the time of a simulation.
    if (decision.actions.length > 0 || decision.run.status !== before.status) this.#mayClaim = true;
    this.#watch.decided(before, pending.event, decision, policy, this.#now);
  }

  async #perform(): Promise<void> {
    const open = await this.#queue.claimable(this.#now);
    const candidates = open.flatMap(({ action: { id, task } }) =>
      task.kind === 'attempt' || task.kind === 'follow_up' ? [{ id, worker: task.seat }] : [],
    );
    const { waiting, toRest } = shareSlots({ maxAgents: this.#maxAgents, living: this.#agents.living(), comingUp: [], candidates });
    for (const seat of toRest) this.#agents.rest(seat);
    const wanted = { host: 'h', now: this.#now, leaseMs: LEASE_MS, limit: this.#dice.from(1, MOST_AT_ONCE), except: waiting };
    const claims = await this.#queue.claim(wanted);
    this.#mayClaim = claims.length > 0 || toRest.length > 0;
    for (const id of waiting) if (this.#dice.happens(0.02)) this.#outside.push({ kind: 'queued', action: id });
    for (const claim of claims) {
      // Killed before the effect, or after it and before the claim is settled: the lease runs out, and it is claimed again.
      if (this.#dice.happens(0.05)) continue;
      this.#effect(claim);
      if (this.#dice.happens(0.05)) continue;
      await this.#queue.settle(claim);
    }
  }

  #effect({ action }: Claim): void {
    if (this.#performed.has(action.id) || !isWanted(this.#run, action)) return;
    this.#performed.add(action.id);
    this.#watch.performed(action, this.#run);
    this.#outside.push(...this.#agents.perform(action, this.#now));
    this.#watch.living(this.#agents.living().length, this.#maxAgents);
  }

  /** Posts an outside event; now and then a second time, or the one after it first. */
  async #relay(): Promise<void> {
    const index = this.#outside.length > 1 && this.#dice.happens(0.05) ? 1 : 0;
    const what = this.#dice.happens(0.05) ? this.#outside[index] : this.#outside.splice(index, 1)[0];
    if (what === undefined) return;
    if ('action' in what) this.#agents.reported(what);
    await this.#tell(what);
  }

  async #answer(): Promise<void> {
    for (const what of this.#people.act(this.#run)) await this.#tell(what);
  }

  /** Time passes; if nothing else moves, until something is due. */
  async #pass(isStill: boolean): Promise<void> {
    const due = isStill ? await this.#nextTime() : this.#now + this.#dice.from(0, 2 * MINUTE_MS);
    if (due === null) return await this.#standStill();
    const away = this.#dice.happens(0.01) ? this.#dice.from(1, 600) * MINUTE_MS : 0;
    this.#now = Math.max(this.#now, due) + away;
    if (isStill || away > 0) this.#mayClaim = true;
    if (away > 0) await this.#post(`away-${this.#now}`, { kind: 'away', ms: away });
    if (this.#undecided > 0) return;
    for (const _ of await this.#runs.due(this.#now)) await this.#post(`tick-${this.#now}`, { kind: 'tick' });
  }

  async #nextTime(): Promise<number | null> {
    const times = [await this.#runs.nextDue(), await this.#queue.nextAt(this.#now)].filter((time) => time !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Only a person can move the run now. */
  async #standStill(): Promise<void> {
    this.#watch.still(this.#run);
    if (this.#run.status === 'paused') return await this.#tell({ kind: 'resume', how: interruption(this.#dice, this.#run) });
    this.#people.patience = 0;
    if (!this.#people.wants(this.#run)) this.#outside.push(...this.#agents.wakeUp());
  }

  async #interrupt(): Promise<void> {
    const { status } = this.#run;
    if (status !== 'running') {
      return await this.#tell(
        this.#dice.happens(0.3) ? { kind: 'pause', now: true } : { kind: 'resume', how: interruption(this.#dice, this.#run) },
      );
    }
    if (this.#dice.happens(0.1)) return await this.#tell({ kind: 'abort', why: 'enough' });
    await this.#tell(this.#dice.happens(0.3) ? { kind: 'checkpoint', note: 'n' } : { kind: 'pause', now: this.#dice.happens(0.3) });
  }

  /** The process is killed, and another one begins with what is stored. */
  async #restart(): Promise<void> {
    const kept = this.#run;
    this.#runs = this.#process();
    await this.#queue.takeBack('h');
    this.#mayClaim = true;
    const stored = await this.#runs.load(RUN);
    if (stored === undefined) throw new Error('the run is gone');
    if (this.commits > 0) this.#watch.restarted(stored, kept);
    this.#run = stored;
  }

  /** A person lets a run that has ended go on, one that is done from one of its stages; false if nobody does. */
  async #recover(): Promise<boolean> {
    const isDone = this.#run.status === 'done';
    if (this.#recoveries === MOST_RECOVERIES || !this.#dice.happens((isDone ? 0.15 : 0.7) / (this.#recoveries + 1))) return false;
    this.#recoveries += 1;
    const checkpoints = await new SqliteCheckpoints(this.#database).list(RUN);
    const from = isDone || this.#dice.happens(0.3) ? this.#dice.oneOf(this.#run.plan.stages.map(({ id }) => id) as [string]) : undefined;
    // The oldest of them may be from before a list that has landings.
    const oldest = this.#dice.happens(0.5) ? checkpoints.length - 1 : 0;
    const named =
      from === undefined && this.#dice.happens(0.3) ? checkpoints[this.#dice.from(oldest, checkpoints.length - 1)]?.id : undefined;
    const options = { retryFailedStage: this.#dice.happens(0.5), keepAgents: this.#dice.happens(0.5), dropMessages: false };
    const plan = planRecovery(this.#run, checkpoints, { ...options, checkpoint: named, from });
    if ('kind' in plan) return false;
    return await this.#post(`recovered-${this.#run.counter}`, { kind: 'recovered', ...plan.restored });
  }

  /** What the end of the run left in the queue. */
  async #drain(): Promise<void> {
    if (!hasEnded(this.#run)) return;
    for (;;) {
      this.#now += 2 * LEASE_MS;
      const claims = await this.#queue.claim({ host: 'h', now: this.#now, leaseMs: LEASE_MS, limit: 100 });
      if (claims.length === 0) return;
      for (const claim of claims) {
        this.#effect(claim);
        await this.#queue.settle(claim);
      }
    }
  }

  /** What agents and people have reported and nobody has relayed arrives late, but it arrives. */
  async #hear(): Promise<void> {
    while (this.#outside.length > 0) await this.#relay();
    while (this.#undecided > 0) await this.#decide();
    if (hasEnded(this.#run)) this.#watch.over(this.#run, this.#main.commits());
  }
}
