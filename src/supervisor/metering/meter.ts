import type { Usage } from '../../agents/agent.ts';
import { describeError } from '../../base/error.ts';
import { localDay } from '../../base/local-day.ts';
import { type Counted, countUsage } from '../../store/tables/spending.ts';
import type { WorkContext } from '../../workers/context.ts';
import { budgetReason } from '../../workers/pool/budget.ts';
import { notePulse } from '../observe/pulse-watch.ts';
import type { Watch } from '../observe/watch.ts';
import { priceUsage } from './cost.ts';
import { MemoryCeiling } from './memory-ceiling.ts';
import { type Sample, type TreeFigures, treeFigures } from './process-trees.ts';
import { TranscriptUsage } from './transcript-usage.ts';
import type { WorkerUsage } from './worker-usage.ts';

const EVERY_MS = 10_000;
/** Tools that use less in a sample only wait: an idle server of Node uses a few milliseconds in ten seconds. */
const WORK_MS = 50;

/** Samples what every worker uses (processor, memory and tokens) on a slow round beside the passes, and acts on it. */
export class Meter {
  readonly #context: WorkContext;
  readonly #watches: ReadonlyMap<string, Watch>;
  readonly #records: TranscriptUsage;
  readonly #figures = new Map<string, WorkerUsage>();
  readonly #ceiling = new MemoryCeiling();
  #onSample: () => void = () => undefined;
  #last: Sample | undefined;
  #spent: string | undefined;

  constructor(context: WorkContext, watches: ReadonlyMap<string, Watch>) {
    this.#context = context;
    this.#watches = watches;
    this.#records = new TranscriptUsage(context.files);
  }

  workerUsageOf(name: string): WorkerUsage | undefined {
    return this.#figures.get(name);
  }

  /** Called after each sample, also after one that failed. */
  onSample(listener: () => void): void {
    this.#onSample = listener;
  }

  /** A failure is reported once and tried again at the next sample. */
  async run(signal: AbortSignal): Promise<void> {
    for (let lastMessage = ''; !signal.aborted; ) {
      await this.sample().catch((error: unknown) => {
        if (describeError(error) !== lastMessage) this.#context.say(`Figures: ${describeError(error)}`);
        lastMessage = describeError(error);
      });
      this.#onSample();
      await this.#context.clock.sleep(EVERY_MS, signal).catch(() => undefined);
    }
  }

  async sample(): Promise<void> {
    const { store, clock } = this.#context;
    const now = { at: clock.now() };
    // Tokens and the budget do not depend on the process table, so they are counted before its failure is reported.
    const { trees, failure } = await this.#sampleProcesses(now.at);
    const config = await this.#context.config();
    const counted: Counted[] = [];
    for (const worker of Object.values(store.state.workers)) {
      const usage = await this.#records.of(worker, config, () => clock.sleep(0));
      const cost = usage === undefined ? null : priceUsage(usage, worker.agent, config.budget);
      if (usage !== undefined && worker.conversation_id !== null)
        counted.push({ conversation: worker.conversation_id, tokens: budgeted(usage), costUsd: cost ?? 0 });
      this.#figures.set(worker.name, workerUsage(trees.get(worker.name), usage, cost, now.at));
    }
    this.#noteWork(trees, now.at);
    countUsage(store.database, localDay(now.at), counted);
    this.#reportBudget(budgetReason(this.#context, config));
    const names = new Set(Object.keys(store.state.workers));
    for (const name of this.#figures.keys()) if (!names.has(name)) this.#figures.delete(name);
    this.#records.forgetAllBut(names);
    for (const watch of this.#watches.values())
      await this.#ceiling.check(this.#context, watch, this.#figures.get(watch.name)?.memory_bytes ?? null);
    if (failure !== undefined) throw failure;
  }

  async #sampleProcesses(at: number): Promise<{ readonly trees: ReadonlyMap<string, TreeFigures>; readonly failure?: Error }> {
    try {
      const now: Sample = { at, rows: await this.#context.listProcesses() };
      const trees = treeFigures(this.#roots(), now, this.#last);
      this.#last = now;
      for (const watch of this.#watches.values()) notePulse(watch, now.rows, now.at);
      return { trees };
    } catch (error) {
      return { trees: new Map(), failure: new Error(`the process table cannot be read: ${describeError(error)}`, { cause: error }) };
    }
  }

  #noteWork(trees: ReadonlyMap<string, TreeFigures>, at: number): void {
    for (const watch of this.#watches.values())
      if ((trees.get(watch.name)?.toolsMs ?? 0) >= WORK_MS || this.#records.hasGrown(watch.name)) watch.work = { at };
  }

  /** Reported when it changes; the history entry also wakes the callers that wait in the start queue. */
  #reportBudget(reason: string | undefined): void {
    const before = this.#spent;
    this.#spent = reason;
    if ((reason === undefined) === (before === undefined)) return;
    const summary = reason === undefined ? 'new tasks may begin again' : `no new tasks today: ${reason}`;
    this.#context.store.commit({ worker: null, kind: 'budget', summary });
  }

  #roots(): ReadonlyMap<string, number> {
    const living = [...this.#watches.values()].flatMap(({ name, tmux: { pane } }) =>
      typeof pane === 'string' || pane.dead ? [] : [[name, pane.pid] as const],
    );
    return new Map(living);
  }
}

/** Cached input costs a tenth and would dominate the sum. */
function budgeted({ inputTokens, outputTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + outputTokens + cacheWriteTokens;
}

function workerUsage(tree: TreeFigures | undefined, usage: Usage | undefined, cost: number | null, at: number): WorkerUsage {
  return {
    sampled_at_unix: Math.floor(at / 1_000),
    cpu_percent: tree?.cpuPercent ?? null,
    memory_bytes: tree?.memoryBytes ?? null,
    tokens: usage === undefined ? null : toTokens(usage),
    context: usage === undefined ? null : { tokens: usage.contextTokens, window: usage.contextWindow },
    cost_usd: cost,
  };
}

function toTokens({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): NonNullable<WorkerUsage['tokens']> {
  return { input: inputTokens, output: outputTokens, cache_read: cacheReadTokens, cache_write: cacheWriteTokens };
}
