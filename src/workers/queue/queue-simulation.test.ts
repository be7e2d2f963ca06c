import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../test/crash/seeded-random.ts';
import type { QueuedTask, QueueState } from '../../store/tables/queue.ts';
import { decideQueue, type Taker } from './decide-queue.ts';

const SEEDS = Array.from({ length: 300 }, (_, index) => index + 1);
const AGENTS = ['claude', 'codex'];

interface Simulated extends Omit<QueuedTask, 'state' | 'given_to'> {
  state: QueueState;
  given_to: string | null;
}

/** A queue with random tasks and workers, in which random things happen to both. */
class Simulation {
  readonly #random: () => number;
  readonly workers: readonly { name: string; agent: string; inPool: boolean; task: number | null }[];
  readonly tasks: Simulated[] = [];
  readonly given: number[] = [];
  #limited = new Set<string>();
  #failed = new Set<string>();

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    const names = ['adam', 'baker', 'carol', 'dora', 'emil'].slice(0, 1 + this.#below(5));
    this.workers = names.map((name, index) => ({
      name,
      agent: AGENTS[index % 2] ?? '',
      inPool: index === 0 || this.#chance(0.8),
      task: null,
    }));
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  add(): void {
    const number = this.tasks.length + 1;
    const worker = this.#chance(0.2) ? (this.workers[this.#below(this.workers.length)]?.name ?? null) : null;
    const agent = worker === null && this.#chance(0.2) ? (this.workers.find(({ inPool }) => inPool)?.agent ?? null) : null;
    this.tasks.push({
      number,
      place: number,
      priority: this.#chance(0.2) ? this.#below(3) : 0,
      prompt: `task ${number}`,
      expects: 'commit',
      worker,
      agent,
      model: null,
      after: number > 1 && this.#chance(0.2) ? [1 + this.#below(number - 1)] : [],
      state: 'waiting',
      given_to: null,
      delivery: null,
      problem: null,
      created_ms: 0,
      given_ms: null,
      ended_ms: null,
    });
  }

  get waiting(): readonly Simulated[] {
    return this.tasks.filter(({ state }) => state === 'waiting').toSorted((a, b) => b.priority - a.priority || a.place - b.place);
  }

  #takers(): readonly Taker[] {
    return this.workers.map(({ name, agent, inPool, task }) => {
      const mayWork = !this.#limited.has(agent);
      return { name, agent, inPool, model: '', isIdle: task === null, ownMayWork: mayWork, anyMayWork: mayWork, isReady: true };
    });
  }

  /** What the supervisor does after a change. A supervisor that is killed in between gives only some of what it decided. */
  pass({ calm }: { readonly calm: boolean }): void {
    const { waiting } = this;
    const takers = this.#takers();
    const { gives, waits } = decideQueue({
      tasks: waiting,
      takers,
      budget: undefined,
      states: new Map(this.tasks.map(({ number, state }) => [number, state])),
      mayTry: (task, worker) => !this.#failed.has(`${task} ${worker}`),
    });
    expect(gives.length + waits.size).toBe(waiting.length);
    expectFair(waiting, takers, gives, this);
    for (const { task, worker: name } of gives) {
      if (!calm && this.#chance(0.1)) {
        this.#failed.add(`${task.number} ${name}`);
        continue;
      }
      if (!calm && this.#chance(0.1)) break;
      const [worker, own] = [this.workers.find((one) => one.name === name), this.tasks[task.number - 1]];
      if (worker === undefined || own === undefined) throw new Error('what is given is there');
      expect([worker.task, own.state]).toEqual([null, 'waiting']);
      worker.task = own.number;
      Object.assign(own, { state: 'given', given_to: name });
      this.given.push(own.number);
    }
  }

  end({ calm }: { readonly calm: boolean }): void {
    for (const worker of this.workers) {
      if (worker.task === null || (!calm && this.#chance(0.5))) continue;
      const task = this.tasks[worker.task - 1];
      if (task !== undefined) task.state = !calm && this.#chance(0.1) ? 'dropped' : 'done';
      worker.task = null;
    }
  }

  disturb(): void {
    if (this.#chance(0.3)) this.#limited = new Set(AGENTS.filter(() => this.#chance(0.5)));
    const task = this.waiting[this.#below(this.waiting.length)];
    if (task !== undefined && this.#chance(0.05)) task.state = 'canceled';
  }

  calmDown(): void {
    this.#limited.clear();
    this.#failed.clear();
  }

  isPossible({ after }: Simulated): boolean {
    return after.every((number) => {
      const before = this.tasks[number - 1];
      return before !== undefined && (before.state === 'done' || (before.state === 'waiting' && this.isPossible(before)));
    });
  }

  mayTry(task: number, worker: string): boolean {
    return !this.#failed.has(`${task} ${worker}`);
  }
}

/** No worker gets two tasks, and no task goes to a worker that an earlier one could have had. */
function expectFair(
  waiting: readonly Simulated[],
  takers: readonly Taker[],
  gives: readonly { readonly task: QueuedTask; readonly worker: string }[],
  simulation: Simulation,
): void {
  expect(new Set(gives.map(({ worker }) => worker)).size).toBe(gives.length);
  const got = new Map(gives.map(({ task, worker }) => [task.number, worker]));
  for (const [index, task] of waiting.entries()) {
    if (got.has(task.number)) continue;
    if (!task.after.every((number) => simulation.tasks[number - 1]?.state === 'done')) continue;
    for (const later of waiting.slice(index + 1)) {
      const taker = takers.find(({ name }) => name === got.get(later.number));
      if (taker === undefined || !simulation.mayTry(task.number, taker.name)) continue;
      const couldHave =
        task.worker === null ? taker.inPool && (task.agent === null || task.agent === taker.agent) : task.worker === taker.name;
      expect(couldHave, `task ${later.number} got ${taker.name} before task ${task.number}`).toBe(false);
    }
  }
}

describe('random queues', () => {
  test.each(SEEDS)('each task is given once at most, in its order, and none waits for ever (seed %i)', (seed) => {
    const simulation = new Simulation(seed);
    for (let step = 0; step < 60; step += 1) {
      if (step < 30) simulation.add();
      simulation.disturb();
      simulation.pass({ calm: false });
      simulation.end({ calm: false });
    }
    simulation.calmDown();
    // As many rounds as there are tasks: each round ends whatever workers have.
    for (const _ of simulation.tasks) {
      simulation.pass({ calm: true });
      simulation.end({ calm: true });
    }
    expect(new Set(simulation.given).size).toBe(simulation.given.length);
    expect(simulation.waiting.filter((task) => simulation.isPossible(task))).toEqual([]);
  });
});
