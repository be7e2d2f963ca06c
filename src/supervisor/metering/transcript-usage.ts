import type { Usage, UsageReader } from '../../agents/agent.ts';
import type { Files, ReadSoFar } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';
import { loadAgent } from '../../workers/context.ts';
import { transcriptPath } from '../agent-files/transcript-file.ts';

interface Reading {
  readonly path: string;
  readonly reader: UsageReader;
  readonly soFar: ReadSoFar;
}

/** The usage of each worker's conversation, from its CLI's own transcript; only the new part of a grown transcript is read. */
export class TranscriptUsage {
  readonly #files: Files;
  readonly #readings = new Map<string, Reading>();
  readonly #grown = new Set<string>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Waits for `breathe` between portions. Undefined without a transcript, or with one that has no usage. */
  async of(worker: Worker, config: Config, breathe: () => Promise<void>): Promise<Usage | undefined> {
    this.#grown.delete(worker.name);
    const makeReader = loadAgent(config, worker.agent).transcript?.usageReader;
    const path = makeReader === undefined ? undefined : transcriptPath(this.#files, worker, config);
    if (makeReader === undefined || path === undefined) return undefined;
    for (;;) {
      const known = this.#readings.get(worker.name);
      const last = known?.path === path ? known : undefined;
      const growth = this.#files.readGrowth(path, last?.soFar);
      if (growth === undefined) return undefined;
      const reader = last === undefined || growth.fromStart ? makeReader() : last.reader;
      // The first reading says nothing about the time of its lines.
      if (last !== undefined && growth.text !== '') this.#grown.add(worker.name);
      reader.feed(growth.text);
      this.#readings.set(worker.name, { path, reader, soFar: growth.now });
      if (!growth.more) return reader.usage();
      await breathe();
    }
  }

  /** Whether the last reading of the worker's transcript found new lines. */
  hasGrown(worker: string): boolean {
    return this.#grown.has(worker);
  }

  forgetAllBut(workers: ReadonlySet<string>): void {
    for (const name of this.#readings.keys()) if (!workers.has(name)) this.#readings.delete(name);
  }
}
