import { randomUUID } from 'node:crypto';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConversation } from '../../src/agents/demo/tui/conversation.ts';
import type { Scenario } from '../../src/agents/demo/tui/scenario/step.ts';
import type { Clock, Files, Finished, ProcessRow, SystemPorts } from '../../src/base/ports.ts';
import { type Layout, makeLayout } from '../../src/store/layout.ts';
import { writeStateFile } from '../../src/store/state-file.ts';
import { Store } from '../../src/store/store.ts';
import { controlAgents } from '../../src/supervisor/control-agents.ts';
import { Supervisor } from '../../src/supervisor/loop.ts';
import { Meter } from '../../src/supervisor/metering/meter.ts';
import type { Watch } from '../../src/supervisor/observe/watch.ts';
import { systemFiles } from '../../src/system/files/system-files.ts';
import { systemPorts } from '../../src/system/ports.ts';
import { openContext, type WorkContext } from '../../src/workers/context.ts';
import { repairState } from '../../src/workers/repair/repair-state.ts';
import { aState, aWorker } from '../../src/workers/samples.ts';
import { sendMessage } from '../../src/workers/send-message.ts';
import { seededRandom } from '../crash/seeded-random.ts';
import { type ScratchRepo, scratchRepo, scratchRoot } from '../support/scratch-repo.ts';
import { NightAgent } from './night-agent.ts';
import { type Life, NightClock } from './night-clock.ts';
import { nightScenario } from './night-scenario.ts';
import { NightTmux } from './night-tmux.ts';

const WRITES = ['writePrivate', 'replace', 'append', 'copy', 'rename', 'makeFolder'] as const satisfies readonly (keyof Files)[];

interface Running {
  readonly life: Life;
  readonly context: WorkContext;
}

/**
 * A machine for one night: the real supervisor, state, database and git, and the demo agent itself, on a simulated clock and in a
 * simulated tmux. Every accident is one call.
 */
export class NightWorld implements AsyncDisposable {
  readonly clock = new NightClock();
  readonly random: () => number;
  readonly names: readonly string[];
  readonly layout: Layout;
  readonly tmux: NightTmux;
  readonly #repo: ScratchRepo;
  readonly #watchers = new Map<string, () => void>();
  readonly #scenarios: ReadonlyMap<string, Scenario>;
  #running: Running | undefined;
  #hasSpace = true;
  /** The service refuses every turn until then. */
  overloadedUntil = 0;

  private constructor(repo: ScratchRepo, layout: Layout, names: readonly string[], seed: number) {
    this.#repo = repo;
    this.layout = layout;
    this.names = names;
    this.random = seededRandom(seed);
    this.#scenarios = new Map(names.map((name) => [name, this.#scenarioOf(name)]));
    const machine = {
      clock: this.clock,
      hasSpace: () => this.#hasSpace,
      scenarioOf: (worker: string) => this.#scenarios.get(worker) ?? this.#scenarioOf(worker),
      changed: (folder: string) => this.#watchers.get(folder)?.(),
    };
    this.tmux = new NightTmux(
      (pid, file, onExit) => new NightAgent(machine, pid, file, onExit),
      () => this.#watchers.get(dirname(layout.deaths))?.(),
    );
  }

  static async make(names: readonly string[], seed: number): Promise<NightWorld> {
    const repo = await scratchRepo();
    try {
      const { root, base, worktree } = await scratchRoot(repo);
      const layout = makeLayout(root);
      for (const folder of [layout.run, layout.logs]) mkdirSync(folder, { recursive: true });
      const tables = names.map((name) => `[workers.${name}]\nagent = "demo"`);
      writeFileSync(layout.config, [`[repo]\nsource = "${repo.path}"\nbranch = "main"`, ...tables].join('\n'));
      const workers = [];
      for (const name of names) {
        const worktree_path = await worktree(name);
        workers.push(aWorker({ name, worktree_path, base_commit: base, branch: name, session_id: `llmc-${name}`, incarnation: 0 }));
      }
      writeStateFile(layout, aState(...workers));
      return new NightWorld(repo, layout, names, seed);
    } catch (error) {
      await repo[Symbol.asyncDispose]();
      throw error;
    }
  }

  get context(): WorkContext {
    if (this.#running === undefined) throw new Error('no supervisor runs');
    return this.#running.context;
  }

  /** Starts a supervisor, as `llmc up` does. */
  async up(): Promise<void> {
    const life: Life = { ended: false };
    const ports = this.#ports(life);
    const store = new Store(this.layout, ports.clock, ports.files);
    // The simulation needs no durability, and each wait for the disk costs more than all decisions together.
    store.database.exec('PRAGMA synchronous = OFF');
    const watches = new Map<string, Watch>();
    const { signal } = new AbortController();
    const context = openContext(store, ports, {
      supervised: true,
      say: () => undefined,
      signal,
      agents: (own) => controlAgents(own, watches),
    });
    this.#running = { life, context };
    await repairState(context, false);
    void new Supervisor(context, watches).run(signal);
    void new Meter(context, watches).run(signal);
  }

  killSupervisor(): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    running.life.ended = true;
    this.#watchers.clear();
    running.context.store[Symbol.dispose]();
  }

  killAgents(): void {
    for (const agent of this.tmux.living) this.tmux.kill(agent);
  }

  /** Nothing can be written to the disk: files, the database and the reports of the agents. */
  fillDisk(): void {
    this.#hasSpace = false;
    this.context.store.database.exec('PRAGMA query_only = ON');
  }

  freeDisk(): void {
    this.#hasSpace = true;
    this.context.store.database.exec('PRAGMA query_only = OFF');
  }

  /** Gives a prompt, as `llmc message` does, and returns once it is recorded. */
  async give(worker: string, text: string): Promise<void> {
    void sendMessage(this.context, { worker, text, timeoutMs: 1_000 }).catch(() => undefined);
    await this.until(`the prompt "${text}" to be recorded`, () => this.deliveries(worker).some((row) => row.text === text), 60_000);
  }

  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + Math.round(ms);
    void this.clock.sleep(ms, { ended: false });
    while (this.clock.now() < end) await this.clock.tick();
  }

  async ticks(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) await this.clock.tick();
  }

  async until(what: string, holds: () => boolean, longestMs: number): Promise<void> {
    const end = this.clock.now() + longestMs;
    while (!holds()) {
      if (this.clock.now() > end)
        throw new Error(`waited ${longestMs} ms for ${what}\n${this.names.map((name) => this.story(name)).join('\n')}`);
      await this.clock.tick();
    }
  }

  deliveries(
    worker: string,
  ): readonly { readonly text: string; readonly purpose: string; readonly state: string; readonly reason: string }[] {
    const rows = this.context.store.database
      .prepare('SELECT text, purpose, state, reason FROM deliveries WHERE worker = ? ORDER BY seq')
      .all(worker);
    return rows.map((row) => ({
      text: String(row.text),
      purpose: String(row.purpose),
      state: String(row.state),
      reason: String(row.reason),
    }));
  }

  history(worker: string, kind = '%'): readonly string[] {
    const rows = this.context.store.database.prepare(
      'SELECT at_ms, kind, summary FROM history WHERE worker = ? AND kind LIKE ? ORDER BY seq',
    );
    return rows.all(worker, kind).map(({ at_ms, kind: of, summary }) => `${new Date(Number(at_ms)).toISOString()} ${of}: ${summary}`);
  }

  /** Every prompt that the worker's agents began to work on, from their own record. */
  turns(worker: string): readonly string[] {
    return globSync(join(this.layout.scratch(worker), 'conversations', '*.jsonl'))
      .flatMap((file) => readConversation(file) ?? [])
      .flatMap((fact) => (fact.type === 'turn' ? [fact.prompt] : []));
  }

  async commits(worker: string): Promise<readonly string[]> {
    const { worktree_path, base_commit } = this.context.store.worker(worker);
    const log = await this.#repo.run(['log', '--reverse', '--format=%s', `${base_commit}..HEAD`], worktree_path);
    return log.split('\n').filter(Boolean);
  }

  story(worker: string): string {
    const rows = this.deliveries(worker).map((row) => JSON.stringify(row));
    return [`${worker} (${JSON.stringify(this.context.store.worker(worker))})`, ...this.history(worker), ...rows].join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.tmux.killServer();
    this.killSupervisor();
    await this.#repo[Symbol.asyncDispose]();
  }

  #scenarioOf(worker: string): Scenario {
    return nightScenario(
      () => this.clock.now() < this.overloadedUntil,
      () => this.turns(worker).length,
    );
  }

  #ports(life: Life): SystemPorts {
    const clock: Clock = { now: () => this.clock.now(), sleep: (ms, signal) => this.clock.sleep(ms, life, signal) };
    return {
      ...systemPorts,
      clock,
      random: { next: this.random, id: randomUUID },
      scheduler: { soon: (work) => void setImmediate(() => life.ended || work()) },
      processes: {
        run: async (command, options) => {
          if (command.file !== 'tmux') return await this.clock.program(this.#repo.processes.run(command, options), life);
          await this.#mayTakeTime(clock);
          const { status, stdout, stderr } = this.tmux.run(command);
          await this.#mayTakeTime(clock);
          return { command, outcome: { kind: 'exited', status }, stdout, stderr, truncated: false } satisfies Finished;
        },
      },
      listProcesses: async () => this.tmux.living.map(rowOf),
      signals: {
        isAlive: (pid) => this.tmux.living.some((agent) => agent.pid === pid),
        send: (pid) => {
          const agent = this.tmux.living.find((each) => each.pid === pid);
          agent?.stop();
          return agent !== undefined;
        },
        killStrays: () => 0,
      },
      files: this.#files(),
      watchFolder: (folder, onChange) => {
        const notify = () => onChange(null);
        this.#watchers.set(folder, notify);
        return { [Symbol.dispose]: () => void (this.#watchers.get(folder) === notify && this.#watchers.delete(folder)) };
      },
    };
  }

  /** Most answers are immediate, so that a night takes seconds. An accident can happen during the others. */
  async #mayTakeTime(clock: Clock): Promise<void> {
    if (this.random() < 0.2) await clock.sleep(1 + Math.floor(this.random() * 5));
  }

  #files(): Files {
    const refuse = () => {
      if (!this.#hasSpace) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    return new Proxy(systemFiles, {
      get: (files, name: keyof Files) => {
        if (WRITES.some((write) => write === name)) refuse();
        return files[name];
      },
    });
  }
}

function rowOf({ pid, cpuMs }: NightAgent): ProcessRow {
  return { pid, parent: 1, started: String(pid), state: 'runs', foreground: true, cpuMs, memoryBytes: 50_000_000 };
}
