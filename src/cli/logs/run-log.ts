import type { Layout } from '../../store/layout.ts';
import { isRunWorker } from '../../workflow/model/run-names.ts';
import { openRuns } from '../runs/open-runs.ts';
import type { LogLine } from './log-line.ts';

/** The decisions of a run as lines of a log, each once, and which logs belong to its workers. */
export class RunLog {
  readonly #layout: Layout;
  readonly #run: string;
  readonly #roles: readonly string[];
  #after = 0;

  private constructor(layout: Layout, run: string, roles: readonly string[]) {
    this.#layout = layout;
    this.#run = run;
    this.#roles = roles;
  }

  static async open(layout: Layout, run: string): Promise<RunLog> {
    using opened = openRuns(layout);
    return new RunLog(layout, run, Object.keys((await opened.runs.load(run))?.plan.roles ?? {}));
  }

  hasWorker(worker: string): boolean {
    return this.#roles.some((role) => isRunWorker(worker, this.#run, role));
  }

  async next(): Promise<readonly LogLine[]> {
    using opened = openRuns(this.#layout);
    const lines = await opened.records.history(this.#run, this.#after);
    this.#after = lines.at(-1)?.seq ?? this.#after;
    return lines.map(({ at, step, text }) => ({
      time: new Date(at).toISOString(),
      worker: this.#run,
      kind: 'run',
      summary: step === null ? text : `${step}: ${text}`,
    }));
  }
}
