import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunCheckResult } from '../../store/tables/checks.ts';
import type { AboutAction } from '../model/event.ts';
import type {
  GivenTask,
  LandingOffer,
  LivingWorker,
  NewRunWorker,
  Offered,
  RunCheck,
  RunWorkers,
  RunWorkerView,
  TaskOutcome,
  WorkerMessage,
} from './run-workers.ts';

interface FakeWorker {
  readonly worktree: string;
  task: string | null;
  continues: boolean;
  base: string | null;
  answer: string | null;
  resting: boolean;
  busy: boolean;
  missed: { readonly id: string; readonly text: string }[];
}

/** Workers without tmux and git. They outlive a killed engine, as real ones do. */
export class FakeWorkers implements RunWorkers {
  readonly workers = new Map<string, FakeWorker>();
  /** Every use that took effect: `give swarm-1-developer`. */
  readonly effects: string[] = [];
  readonly tasks: GivenTask[] = [];
  readonly messages: WorkerMessage[] = [];
  readonly delivered: WorkerMessage[] = [];
  readonly nudges: WorkerMessage[] = [];
  /** When the agents last showed progress; null: nobody knows. */
  progress: () => number | null = () => null;
  readonly offered: { readonly id: string; readonly worker: string }[] = [];
  /** Whether shell lines succeed. */
  passes: () => boolean = () => true;
  /** What shell lines do. */
  lines: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  /** Why the next undo of a landing fails. */
  readonly refusals: Error[] = [];
  readonly #ids = new Set<string>();
  readonly #outcomes: TaskOutcome[] = [];
  readonly #root: string;
  #relayed = 0;

  constructor(root: string) {
    this.#root = root;
  }

  make({ name }: NewRunWorker): Promise<void> {
    if (!this.workers.has(name)) {
      const worktree = join(this.#root, name);
      mkdirSync(worktree, { recursive: true });
      this.workers.set(name, { worktree, task: null, continues: true, base: null, answer: null, resting: true, busy: false, missed: [] });
      this.effects.push(`make ${name}`);
    }
    return Promise.resolve();
  }

  view(name: string): RunWorkerView | undefined {
    return this.workers.get(name);
  }

  give(task: GivenTask): Promise<void> {
    if (this.#once('give', task.id, task.worker)) {
      this.tasks.push(task);
      Object.assign(this.workers.get(task.worker) ?? {}, { continues: true });
      this.#begin(task.worker, task.id);
    }
    return Promise.resolve();
  }

  followUp(message: WorkerMessage): Promise<void> {
    const { id, worker } = message;
    if (this.#once('follow up', id, worker)) {
      this.messages.push(message);
      this.#begin(worker, id);
    }
    return Promise.resolve();
  }

  deliver(message: WorkerMessage): Promise<boolean> {
    const { id, worker } = message;
    if (this.workers.get(worker)?.busy !== true) return Promise.resolve(false);
    if (this.#once('deliver', id, worker)) this.delivered.push(message);
    return Promise.resolve(true);
  }

  nudge(message: WorkerMessage): Promise<void> {
    const { id, worker } = message;
    if (this.workers.get(worker)?.busy === true && this.#once('nudge', id, worker)) this.nudges.push(message);
    return Promise.resolve();
  }

  progressAt(): number | null {
    return this.progress();
  }

  rest(name: string): Promise<void> {
    const worker = this.workers.get(name);
    if (worker === undefined) return Promise.resolve();
    if (!worker.resting) this.effects.push(`rest ${name}`);
    Object.assign(worker, { resting: true, busy: false });
    return Promise.resolve();
  }

  halt(name: string): Promise<void> {
    return this.rest(name);
  }

  dismiss(name: string): Promise<boolean> {
    if (this.workers.delete(name)) this.effects.push(`dismiss ${name}`);
    return Promise.resolve(true);
  }

  offer({ id, worker }: LandingOffer): Promise<Offered> {
    if (this.#once('offer', id, worker)) this.offered.push({ id, worker });
    return Promise.resolve({ kind: 'offered' });
  }

  undo({ worker, commit, offer }: Parameters<RunWorkers['undo']>[0]): Promise<string | null> {
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return Promise.reject(refusal);
    this.#once(commit === null ? 'withdraw' : 'undo', `undo ${commit ?? offer}`, worker);
    return Promise.resolve(commit === null ? null : `revert of ${commit}`);
  }

  async check({ id, run, onStart, signal }: RunCheck): Promise<RunCheckResult> {
    this.effects.push(`check ${run} ${id}`);
    await onStart();
    await this.lines(signal);
    return { passed: this.passes(), late: false, output: '' };
  }

  endLeftChecks(): Promise<void> {
    return Promise.resolve();
  }

  living(): readonly LivingWorker[] {
    return [...this.workers].flatMap(([name, { resting, busy }]) => (resting ? [] : [{ name, busy }]));
  }

  outcomes(): readonly TaskOutcome[] {
    return this.#outcomes.slice(this.#relayed);
  }

  relayed(outcomes: readonly TaskOutcome[]): void {
    this.#relayed += outcomes.length;
  }

  report(worker: string, what: AboutAction, at: number): void {
    this.#outcomes.push({ seq: this.#outcomes.length + 1, run: worker.split('-').slice(0, 2).join('-'), at, what });
  }

  #once(what: string, id: string, worker: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    this.effects.push(`${what} ${worker}`);
    return true;
  }

  #begin(name: string, task: string): void {
    Object.assign(this.#worker(name), { task, resting: false, busy: true });
  }

  #worker(name: string): FakeWorker {
    const worker = this.workers.get(name);
    if (worker === undefined) throw new Error(`there is no worker ${name}`);
    return worker;
  }
}
