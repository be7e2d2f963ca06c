import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FaultPoint } from '../../base/fault.ts';
import { type ErrorRecord, errorRecord } from '../../recovery/error-record.ts';
import { openDatabase } from '../../store/database.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { treeFiles } from '../../system/files/tree-files.ts';
import type { Plan } from '../definition/plan.ts';
import type { What } from '../model/event.ts';
import { newRun } from '../model/new-run.ts';
import type { Run } from '../model/run.ts';
import { hasEnded } from '../next/next.ts';
import { POLICY, swarmPlan } from '../next/samples.ts';
import { Artifacts } from '../perform/artifacts.ts';
import { Exchange } from '../perform/exchange.ts';
import { FakeWorkers } from '../perform/samples.ts';
import { SqliteQueue } from '../store/sqlite-queue.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { Engine } from './engine.ts';
import type { EnginePolicy, EnginePorts } from './ports.ts';
import { TestClock } from './test-clock.fixture.ts';

/** How the agent of a worker does a task: it may write into its worktree. */
export type Turn = (task: { readonly worker: string; readonly worktree: string; readonly turn: number }) => void;

/** A root with runs, agents and an engine that can be killed at a named point. */
export class EngineWorld implements Disposable {
  readonly clock = new TestClock();
  readonly folder = mkdtempSync(join(tmpdir(), 'llmc-engine-'));
  readonly workers = new FakeWorkers(join(this.folder, 'worktrees'));
  readonly refs = new Map<string, string>();
  /** Commits that contain the folder of tasks; null is main. */
  readonly forged = new Set<string | null>();
  readonly policy: EnginePolicy;
  readonly said: string[] = [];
  /** How often an agent was at work for a worker. */
  readonly turns = new Map<string, number>();
  readonly runs: SqliteRuns;
  readonly queue: SqliteQueue;
  readonly database = openDatabase(':memory:');
  onRound: () => void = () => undefined;
  /** Why the turn of an agent fails; undefined: it does not. */
  fails: (task: { readonly agent: string | undefined; readonly action: string }) => ErrorRecord | undefined = () => undefined;
  /** Calls of the store, for the cost of waiting. */
  calls = 0;
  kills = 0;
  /** The last sign of life before the next engine. */
  lastAlive: number | undefined;
  /** What hangs at a point, until it is called. */
  readonly hung: (() => void)[] = [];
  #armed: { readonly point: FaultPoint; left: number; readonly hangs?: true } | undefined;
  #death = Promise.withResolvers<void>();
  readonly #hang = Promise.withResolvers<void>();
  #hasHung = false;
  #alive = { now: true };
  #engine: Engine;
  readonly #turn: Turn;
  readonly #crashing = new Set<string>();
  /** What works with the files of agents. */
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: { readonly policy?: Partial<EnginePolicy>; readonly turn?: Turn } = {}) {
    this.policy = { ...POLICY, maxAgents: 4, ...options.policy };
    this.#turn = options.turn ?? swarmTurn;
    this.runs = new SqliteRuns(this.database);
    this.queue = new SqliteQueue(this.database);
    this.#engine = this.#newEngine();
  }

  [Symbol.dispose](): void {
    this.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get engine(): Engine {
    return this.#engine;
  }

  async begin(id: string, plan: Plan = swarmPlan(), inputs: Run['inputs'] = { task: 'a clock' }): Promise<void> {
    await this.runs.create(newRun(id, plan, inputs, this.clock.at), this.#event('begin', { kind: 'begin' }));
  }

  async post(run: string, key: string, what: What): Promise<void> {
    await this.runs.post(run, this.#event(key, what));
  }

  #event(key: string, what: What) {
    return { key, at: this.clock.at, dice: 0, what };
  }

  killAt(point: FaultPoint, nth: number): void {
    this.#armed = { point, left: nth };
  }

  /** What performs a task stops there without a sign, and the process lives on. */
  hangAt(point: FaultPoint, nth: number): void {
    this.#armed = { point, left: nth, hangs: true };
  }

  /** The next turn of this worker's agent ends with its process. */
  crashNext(worker: string): void {
    this.#crashing.add(worker);
  }

  /** For the loop, which moves by itself. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await setImmediate();
  }

  /** Lets everything happen that needs neither the disk nor the clock. */
  async turnsOfTheLoop(): Promise<void> {
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  }

  async load(id: string): Promise<Run> {
    const run = await this.runs.load(id);
    if (run === undefined) throw new Error(`there is no run ${id}`);
    return run;
  }

  /** One pass of the engine; then the agents and the person do what they have to do. */
  async round(ms = 1_000): Promise<void> {
    await this.passOrDie(new AbortController().signal);
    this.agentsWork();
    this.#personAccepts();
    this.onRound();
    this.clock.pass(ms);
  }

  /** One pass of the engine, or as far as it comes alive; then another process takes over. */
  async passOrDie(signal: AbortSignal): Promise<void> {
    await Promise.race([this.#engine.pass(signal).then(() => this.#settled()), this.#death.promise]);
    if (!this.#alive.now) await this.#startAgain();
  }

  /** Everything is performed but what hangs, unless another performance has its task by now. */
  async #settled(): Promise<void> {
    if (!this.#hasHung) return await Promise.race([this.#engine.settled(), this.#hang.promise.then(() => this.#settled())]);
    const count = (where: string) => this.database.prepare(`SELECT 1 FROM run_tasks WHERE ${where}`).all().length;
    await this.until(() => count("state = 'claimed'") <= Math.max(0, this.hung.length - count('attempt > 1')));
    await this.turnsOfTheLoop();
  }

  async untilEnded(...ids: readonly string[]): Promise<readonly Run[]> {
    for (let round = 0; round < 200; round += 1) {
      const runs = await Promise.all(ids.map((id) => this.load(id)));
      if (runs.every((run) => hasEnded(run))) return runs;
      await this.round();
    }
    const runs = await Promise.all(ids.map((id) => this.load(id)));
    const states = runs.map(({ steps }) => Object.values(steps).map(({ state }) => state.kind));
    const asked = runs.flatMap(({ escalations }) => escalations.filter(({ answer }) => answer === null).map(({ text }) => text));
    throw new Error(`not ended: ${JSON.stringify(states)}, asks: ${JSON.stringify(asked)}`);
  }

  /** Rounds until the engine has nothing more to perform. */
  async untilSettled(): Promise<void> {
    for (let round = 0; round < 50; round += 1) {
      if ((await this.queue.claimable(Number.MAX_SAFE_INTEGER)).length === 0) return;
      await this.round();
    }
    throw new Error('the engine always has something to perform');
  }

  async #startAgain(): Promise<void> {
    this.kills += 1;
    await this.restart();
  }

  /** Another process takes over from the engine, which does nothing any more. */
  async restart(): Promise<void> {
    this.#alive.now = false;
    // They live in this process: those of a killed one would change nothing any more, beside the next engine.
    await Promise.allSettled(this.#underWay);
    this.#death = Promise.withResolvers();
    this.#alive = { now: true };
    this.#engine = this.#newEngine();
    await this.#engine.open();
  }

  agentsWork(): void {
    for (const [name, worker] of this.workers.workers) {
      const { task } = worker;
      if (task === null || !worker.busy || worker.resting) continue;
      const turn = (this.turns.get(name) ?? 0) + 1;
      this.turns.set(name, turn);
      this.workers.report(name, { kind: 'started', action: task }, this.clock.at);
      if (this.#crashing.delete(name)) {
        worker.busy = false;
        const error = errorRecord({ id: task, code: 'AGENT_CRASHED', message: 'ended', component: name, at: this.clock.at });
        this.workers.report(name, { kind: 'crashed', action: task, error }, this.clock.at);
        continue;
      }
      const error = this.fails({ agent: this.workers.tasks.findLast(({ worker: of }) => of === name)?.agent, action: task });
      if (error !== undefined) {
        worker.busy = false;
        this.workers.report(name, { kind: 'failed', action: task, error }, this.clock.at);
        continue;
      }
      this.#turn({ worker: name, worktree: worker.worktree, turn });
      worker.busy = false;
      this.workers.report(name, { kind: 'finished', action: task }, this.clock.at);
    }
  }

  /** A person accepts what is offered. */
  #personAccepts(): void {
    for (const { id, worker } of this.workers.offered.splice(0))
      this.workers.report(worker, { kind: 'landed', action: id, commit: 'main-1' }, this.clock.at);
  }

  #newEngine(): Engine {
    const life = this.#alive;
    const ports: EnginePorts = {
      runs: this.#mortal(this.runs, life),
      queue: this.#mortal(this.queue, life),
      workers: this.#mortal(this.workers, life),
      exchange: this.#followed(new Exchange(treeFiles)),
      artifacts: new Artifacts(systemFiles, (run) => join(this.folder, 'runs', run)),
      git: {
        work: (worktree) => Promise.resolve({ head: `commit of ${worktree.split('/').at(-1)}`, ahead: 1, dirty: false }),
        hasTaskFolder: (commit) => Promise.resolve(this.forged.has(commit)),
        keep: (run, step, commit) => Promise.resolve(void this.refs.set(`${run}/${step}`, commit)),
        diff: () => Promise.resolve('+ a line'),
      },
      clock: this.clock,
      random: { next: () => 0 },
      policy: () => Promise.resolve(this.policy),
      lastAlive: this.lastAlive,
      announce: () => undefined,
      say: (line) => this.said.push(line),
      fault: (point) => this.#fault(point, life),
    };
    return new Engine(ports);
  }

  /** A killed process does nothing any more: whatever it waits for never comes. */
  #fault(point: FaultPoint, life: { now: boolean }): void | Promise<void> {
    if (!life.now) return new Promise(() => undefined);
    if (this.#armed?.point !== point) return undefined;
    this.#armed.left -= 1;
    if (this.#armed.left > 0) return undefined;
    const { hangs } = this.#armed;
    this.#armed = undefined;
    if (hangs === true) {
      this.#hasHung = true;
      this.#hang.resolve();
      return new Promise((resolve) => void this.hung.push(resolve));
    }
    life.now = false;
    this.#death.resolve();
    return new Promise(() => undefined);
  }

  #followed<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const work: Promise<unknown> = Promise.resolve(Reflect.apply(value, target, args)).finally(() => this.#underWay.delete(work));
          this.#underWay.add(work);
          return work;
        };
      },
    });
  }

  #mortal<Port extends object>(port: Port, life: { readonly now: boolean }): Port {
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          this.calls += 1;
          return life.now ? Reflect.apply(value, target, args) : new Promise(() => undefined);
        };
      },
    });
  }
}

/** The agents of the swarm: the reviewer has one remark, then approves. */
const swarmTurn: Turn = ({ worker, worktree, turn }) => {
  const leave = (name: string, text: string) => {
    const path = join(worktree, '.llmc-task/out', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  if (worker.endsWith('researcher')) leave('findings.md', '# Findings\n');
  if (worker.endsWith('reviewer'))
    leave('verdict.yaml', turn === 1 ? 'verdict: changes\nissues: ["no test"]\n' : 'verdict: approved\nissues: []\n');
};
