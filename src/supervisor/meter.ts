import type { Usage } from '../agents/agent.ts';
import { messageOf } from '../base/error.ts';
import type { Worker } from '../store/state.ts';
import { processTable } from '../system/process-table.ts';
import type { WorkContext } from '../workers/context.ts';
import type { WorkerFigures } from './figures.ts';
import { type Sample, type TreeFigures, treeFigures } from './process-trees.ts';
import { RecordUsage } from './record-usage.ts';
import type { Watch } from './watch.ts';

const EVERY_MS = 10_000;

/** What every worker uses: processor, memory and tokens, sampled on a slow round beside the passes. */
export class Meter {
  readonly #context: WorkContext;
  readonly #watches: ReadonlyMap<string, Watch>;
  readonly #records = new RecordUsage();
  readonly #figures = new Map<string, WorkerFigures>();
  #last: Sample | undefined;

  constructor(context: WorkContext, watches: ReadonlyMap<string, Watch>) {
    this.#context = context;
    this.#watches = watches;
  }

  figuresOf(name: string): WorkerFigures | undefined {
    return this.#figures.get(name);
  }

  /** What fails is told once and tried again at the next sample. */
  async run(signal: AbortSignal): Promise<void> {
    for (let told = ''; !signal.aborted; ) {
      await this.sample().catch((error: unknown) => {
        if (messageOf(error) !== told) this.#context.say(`Figures: ${messageOf(error)}`);
        told = messageOf(error);
      });
      await this.#context.clock.sleep(EVERY_MS, signal).catch(() => undefined);
    }
  }

  async sample(): Promise<void> {
    const { store, clock, processes } = this.#context;
    const now: Sample = { at: clock.now(), rows: await processTable(processes) };
    const trees = treeFigures(this.#roots(), now, this.#last);
    this.#last = now;
    for (const worker of Object.values(store.state.workers)) {
      const usage = await this.#usageOf(worker);
      this.#figures.set(worker.name, figuresFrom(trees.get(worker.name), usage, now.at));
    }
    const names = new Set(Object.keys(store.state.workers));
    for (const name of this.#figures.keys()) if (!names.has(name)) this.#figures.delete(name);
    this.#records.forgetAllBut(names);
  }

  #roots(): ReadonlyMap<string, number> {
    const living = [...this.#watches.values()].flatMap(({ name, pane }) =>
      typeof pane === 'string' || pane.dead ? [] : [[name, pane.pid] as const],
    );
    return new Map(living);
  }

  async #usageOf(worker: Worker): Promise<Usage | undefined> {
    const { config, clock } = this.#context;
    return await this.#records.of(worker, await config(), () => clock.sleep(0));
  }
}

function figuresFrom(tree: TreeFigures | undefined, usage: Usage | undefined, at: number): WorkerFigures {
  return {
    sampled_at_unix: Math.floor(at / 1_000),
    cpu_percent: tree?.cpuPercent ?? null,
    memory_bytes: tree?.memoryBytes ?? null,
    tokens: usage === undefined ? null : tokensOf(usage),
    context: usage === undefined ? null : { tokens: usage.contextTokens, window: usage.contextWindow },
    cost_usd: usage?.cost ?? null,
  };
}

function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): NonNullable<WorkerFigures['tokens']> {
  return { input: inputTokens, output: outputTokens, cache_read: cacheReadTokens, cache_write: cacheWriteTokens };
}
