import { errorRecord } from '../../src/recovery/error-record.ts';
import type { Database } from '../../src/store/database.ts';
import { SqliteCheckpoints } from '../../src/workflow/checkpoint/sqlite-checkpoints.ts';
import type { Plan } from '../../src/workflow/definition/plan.ts';
import { type Action, HELD_KINDS } from '../../src/workflow/model/action.ts';
import type { AboutAction, Resumption, What } from '../../src/workflow/model/event.ts';
import type { Result, Run } from '../../src/workflow/model/run.ts';
import { hasEnded, next } from '../../src/workflow/next/next.ts';
import { newRun, POLICY } from '../../src/workflow/next/samples.ts';
import { wakeAt } from '../../src/workflow/next/time/wake-at.ts';
import { planRecovery } from '../../src/workflow/recover/plan-recovery.ts';
import type { Claim } from '../../src/workflow/store/ports.ts';
import { SqliteQueue } from '../../src/workflow/store/sqlite-queue.ts';
import { SqliteRuns } from '../../src/workflow/store/sqlite-runs.ts';

const START = 1_800_000_000_000;
const LEASE_MS = 60_000;
const MINUTE_MS = 60_000;
const NIGHT_MS = 10 * 60 * MINUTE_MS;

/** What happened in a simulated run, for its checks. */
export interface Outcome {
  readonly run: Run;
  readonly versions: readonly number[];
  /** Every action that took effect, once per id. */
  readonly performed: ReadonlyMap<string, Action>;
  readonly landings: number;
  /** Results that a step lost after it was done. */
  readonly lost: readonly string[];
  readonly mostRecoveries: number;
  readonly mostOpen: ReadonlyMap<string, number>;
  /** Actions that set a paused run in motion. */
  readonly inPause: readonly string[];
  readonly pauses: number;
}

function openItems({ steps }: Run, forEach: string): number {
  return Object.values(steps).filter(({ address, state }) => address.startsWith(`${forEach}/`) && state.kind === 'under_way').length;
}

/**
 * One run with real storage, a virtual clock and agents that do anything. The engine is killed between any two of its steps; what was
 * not stored is forgotten, and what was is found again.
 */
export class RunWorld {
  readonly #random: () => number;
  readonly #database: Database;
  readonly #runs: SqliteRuns;
  readonly #queue: SqliteQueue;
  readonly #id: string;
  readonly #fragile: string | undefined;
  /** The run as stored, read again after each commit: most steps change nothing. */
  #run: Run | undefined;
  #undecided = 0;
  /** Nothing can be claimed before the next commit, or before time has passed. */
  #nothingToClaim = false;
  readonly #versions: number[] = [];
  readonly #performed = new Map<string, Action>();
  /** Events that an agent or a person has caused and nobody has relayed, possibly twice and in any order. */
  readonly #outside: What[] = [];
  readonly #lost: string[] = [];
  /** The most items that were under way at once, by stage. */
  readonly #mostOpen = new Map<string, number>();
  /** The files that an agent leaves. */
  artifacts: (action: string) => Result['artifacts'] = () => ({});
  /** How a person resumes the run that they pause now and then; undefined: nobody pauses it. */
  resumption: ((run: Run) => Resumption) | undefined;
  readonly #inPause: string[] = [];
  #pauses = 0;
  #landings = 0;
  #mostRecoveries = 0;
  #now = START;
  #keys = 0;

  /** `fragile`: the agents of this role crash most of the time. */
  constructor(database: Database, plan: Plan, random: () => number, fragile?: string, inputs: Run['inputs'] = {}) {
    this.#random = random;
    this.#fragile = fragile;
    this.#database = database;
    this.#runs = new SqliteRuns(database);
    this.#queue = new SqliteQueue(database);
    const run = { ...newRun(plan, START), inputs };
    this.#id = run.id;
    void this.#runs.create(run, { key: 'begin', at: START, dice: random(), what: { kind: 'begin' } });
    this.#undecided = 1;
  }

  async live(steps: number): Promise<Outcome> {
    let run = await this.#load();
    for (let step = 0; step < steps && !hasEnded(run); step += 1) {
      const commits = this.#versions.length;
      await this.#oneOf([
        () => this.#decide(),
        () => this.#perform(),
        () => this.#relay(),
        () => this.#pass(),
        () => this.#answer(run),
        ...(this.resumption === undefined ? [] : [() => this.#pauseOrResume(run)]),
      ]);
      // Only a commit changes the run, and to read it takes more than a third of the time of a simulation.
      if (this.#versions.length > commits) run = await this.#load();
    }
    return {
      run,
      versions: this.#versions,
      performed: this.#performed,
      landings: this.#landings,
      lost: this.#lost,
      mostRecoveries: this.#mostRecoveries,
      mostOpen: this.#mostOpen,
      inPause: this.#inPause,
      pauses: this.#pauses,
    };
  }

  /** A person lets a run that has ended go on from a checkpoint; false if there is nothing to recover. A checkpoint may be damaged. */
  async recover(): Promise<boolean> {
    const run = await this.#load();
    if (this.#happens(0.3))
      this.#database.exec("UPDATE checkpoints SET state_json = '' WHERE version = (SELECT max(version) FROM checkpoints)");
    const options = { retryFailedStage: true, keepAgents: this.#happens(0.5), dropMessages: this.#happens(0.5) };
    const plan = planRecovery(run, await new SqliteCheckpoints(this.#database).list(this.#id), options);
    if ('kind' in plan) return false;
    const what = { kind: 'recovered', ...plan.restored } as const;
    return await this.#post(`recovered-${run.counter}`, what);
  }

  /** A person ends the run, whatever it is doing. */
  async abort(): Promise<void> {
    this.#keys += 1;
    await this.#post(`abort-${this.#keys}`, { kind: 'abort', why: 'enough' }, 0);
  }

  /** Decides on everything that waits. */
  async settle(): Promise<Run> {
    while (this.#undecided > 0) await this.#decide();
    return await this.#load();
  }

  async #load(): Promise<Run> {
    this.#run ??= await this.#runs.load(this.#id);
    if (this.#run === undefined) throw new Error('the run is gone');
    return this.#run;
  }

  async #post(key: string, what: What, dice = this.#random()): Promise<boolean> {
    const posted = await this.#runs.post(this.#id, { key, at: this.#now, dice, what });
    if (posted) this.#undecided += 1;
    return posted;
  }

  async #oneOf(choices: readonly (() => Promise<void>)[]): Promise<void> {
    await choices[Math.floor(this.#random() * choices.length)]?.();
  }

  #happens(chance: number): boolean {
    return this.#random() < chance;
  }

  async #decide(): Promise<void> {
    if (this.#undecided === 0) return;
    const [pending] = await this.#runs.undecided();
    if (pending === undefined || !('event' in pending)) throw new Error('an event is lost');
    const before = await this.#load();
    const decision = next(before, pending.event, POLICY);
    // Killed before the commit.
    if (this.#happens(0.1)) return;
    const wake = wakeAt(decision.run, POLICY, this.#now);
    const committed = await this.#runs.commit({
      version: before.version,
      event: pending.event.key,
      decision,
      wakeAt: wake,
      at: this.#now,
    });
    if (!committed) throw new Error('nobody else commits');
    this.#undecided -= 1;
    this.#run = undefined;
    this.#nothingToClaim = false;
    this.#versions.push(decision.run.version);
    this.#mostRecoveries = Math.max(this.#mostRecoveries, decision.run.recoveries);
    for (const { id } of decision.run.plan.stages)
      this.#mostOpen.set(id, Math.max(this.#mostOpen.get(id) ?? 0, openItems(decision.run, id)));
    for (const [address, { result }] of Object.entries(before.steps))
      if (result !== null && decision.run.steps[address] !== undefined && decision.run.steps[address].result === null)
        this.#lost.push(address);
  }

  async #perform(): Promise<void> {
    if (this.#nothingToClaim) return;
    const claims = await this.#queue.claim({ host: 'h', now: this.#now, leaseMs: LEASE_MS, limit: 3 });
    this.#nothingToClaim = claims.length === 0;
    const { status } = await this.#load();
    if (status === 'paused')
      this.#inPause.push(...claims.filter(({ action }) => HELD_KINDS.includes(action.task.kind)).map((claim) => claim.action.id));
    for (const claim of claims) {
      // Killed before the effect, or after it and before the claim is settled: the lease runs out, and it is claimed again.
      if (this.#happens(0.15)) continue;
      this.#effect(claim);
      if (this.#happens(0.15)) continue;
      await this.#queue.settle(claim);
    }
  }

  #effect({ action }: Claim): void {
    if (this.#performed.has(action.id)) return;
    this.#performed.set(action.id, action);
    this.#outside.push(...this.#reactions(action));
  }

  #reactions({ id: action, step, task }: Action): readonly AboutAction[] {
    const error = errorRecord({ id: action, code: 'AGENT_CRASHED', message: 'ended', component: step, at: this.#now });
    switch (task.kind) {
      case 'attempt':
      case 'follow_up': {
        const crashes = this.#happens(isOf(task.seat, this.#fragile) ? 0.8 : 0.2);
        const end = crashes ? ({ kind: 'crashed', action, error } as const) : ({ kind: 'finished', action } as const);
        const waited: readonly AboutAction[] = this.#happens(0.05) ? [{ kind: 'queued', action }] : [];
        return [...waited, { kind: 'given', action }, { kind: 'started', action }, ...this.#detours(action), end];
      }
      case 'save':
        if (this.#happens(0.3)) return [{ kind: 'given', action }];
        return [
          { kind: 'given', action },
          { kind: 'started', action },
          this.#happens(0.2) ? { kind: 'crashed', action, error } : { kind: 'finished', action },
        ];
      case 'collect':
        if (this.#happens(0.2)) return [{ kind: 'invalid', action, problems: ['it is missing'] }];
        return [{ kind: 'collected', action, result: this.#result(action, task.verdict) }];
      case 'check':
        return [{ kind: 'checked', action, passed: this.#happens(0.7), output: 'o' }];
      case 'land': {
        this.#landings += 1;
        const before: readonly AboutAction[] = this.#happens(0.3) ? [{ kind: 'rejected', action, feedback: 'f' }] : [];
        return [{ kind: 'started', action }, ...before, { kind: 'landed', action, commit: 'm' }];
      }
      default:
        return [];
    }
  }

  #detours(action: string): readonly AboutAction[] {
    if (this.#happens(0.1))
      return [
        { kind: 'parked', action },
        { kind: 'unparked', action },
      ];
    if (this.#happens(0.1)) return [{ kind: 'asked', action, question: 'which?' }];
    return this.#happens(0.05) ? [{ kind: 'lost', action }] : [];
  }

  #result(id: string, isVerdict: boolean): Result {
    const verdict = isVerdict ? ({ verdict: this.#happens(0.5) ? 'approved' : 'changes', issues: ['i'] } as const) : null;
    return { artifacts: this.artifacts(id), commit: isVerdict ? null : id, answer: null, verdict };
  }

  /** Posts an outside event; now and then a second time, or the one after it first. */
  async #relay(): Promise<void> {
    const index = this.#outside.length > 1 && this.#happens(0.1) ? 1 : 0;
    const what = this.#happens(0.1) ? this.#outside[index] : this.#outside.splice(index, 1)[0];
    if (what === undefined) return;
    this.#keys += 1;
    await this.#post(`k${this.#keys}`, what);
  }

  async #pass(): Promise<void> {
    this.#now += Math.floor(this.#random() * 2 * MINUTE_MS);
    this.#nothingToClaim = false;
    if (this.#happens(0.02)) await this.#sleepOvernight();
    // As the engine does: an event that waits makes a tick pointless.
    if (this.#undecided > 0) return;
    for (const _ of await this.#runs.due(this.#now)) await this.#post(`tick-${this.#now}`, { kind: 'tick' });
  }

  /** The machine is off, and nothing moves. */
  async #sleepOvernight(): Promise<void> {
    this.#now += NIGHT_MS;
    await this.#post(`away-${this.#now}`, { kind: 'away', ms: NIGHT_MS });
  }

  async #pauseOrResume(run: Run): Promise<void> {
    if (!this.#happens(run.status === 'running' ? 0.05 : 0.3)) return;
    this.#keys += 1;
    const how = this.resumption?.(run) ?? { kind: 'go_on' };
    if (run.status === 'running') this.#pauses += 1;
    await this.#post(`p${this.#keys}`, run.status === 'running' ? { kind: 'pause', now: this.#happens(0.3) } : { kind: 'resume', how });
  }

  /** A person answers when nothing else moves the run. */
  async #answer(run: Run): Promise<void> {
    const open = run.escalations.find(({ answer }) => answer === null);
    if (open === undefined || !this.#happens(0.5)) return;
    const option = open.options[Math.floor(this.#random() * open.options.length)] ?? 'abort';
    await this.#post(`decided-${open.number}`, { kind: 'decided', escalation: open.number, option, text: null });
  }
}

/** `developer` and `developer-2` are seats of the developer. */
function isOf(seat: string, role: string | undefined): boolean {
  return role !== undefined && seat.startsWith(role);
}
