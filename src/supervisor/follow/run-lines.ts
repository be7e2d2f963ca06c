import type { Clock } from '../../base/ports.ts';
import type { Store } from '../../store/store.ts';
import { standing } from '../../workers/status/transitions.ts';
import type { Run } from '../../workflow/model/run.ts';
import type { RunRecords, RunStore } from '../../workflow/store/ports.ts';
import { readIfSound } from '../../workflow/store/read-if-sound.ts';
import { type RunLine, runLine, unreadableLine } from '../../workflow/view/run-view.ts';

interface RunPorts {
  readonly runs: Pick<RunStore, 'load' | 'list'>;
  readonly records: Pick<RunRecords, 'openTasks'>;
  readonly store: Pick<Store, 'state'>;
  readonly clock: Clock;
}

/** The lines of all runs that have not ended. A line is made again only if its run may have changed: some have hundreds of items. */
export class RunLines {
  readonly #ports: RunPorts;
  readonly #runs = new Map<string, Run>();
  readonly #dirty = new Set<string>();
  #lines: readonly RunLine[] = [];

  constructor(ports: RunPorts) {
    this.#ports = ports;
  }

  /** The engine has decided on the run. */
  note(run: Run): void {
    this.#runs.set(run.id, run);
    this.#dirty.add(run.id);
  }

  /** A worker of the run has moved, or an action of it waits no more. */
  mark(run: string): void {
    this.#dirty.add(run);
  }

  /** The newest first. `whole` also finds runs that nobody has noted. */
  async read(whole: boolean): Promise<readonly RunLine[]> {
    if (whole) await this.#readAll();
    else if (this.#dirty.size > 0) await this.#readDirty();
    return this.#lines;
  }

  async #readAll(): Promise<void> {
    const open = (await this.#ports.runs.list()).filter(({ endedMs }) => endedMs === null);
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.#runs.keys()) if (!ids.has(id)) this.#runs.delete(id);
    this.#dirty.clear();
    const lines: RunLine[] = [];
    for (const summary of open) {
      // A run changes with a decision only, so one of the same version need not be read again.
      if (this.#runs.get(summary.id)?.version !== summary.version) this.#runs.delete(summary.id);
      const line = await this.#lineOf(summary.id);
      if (line !== undefined) lines.push(line === 'unreadable' ? unreadableLine(summary) : line);
    }
    this.#lines = lines;
  }

  async #readDirty(): Promise<void> {
    const known = new Set(this.#lines.map(({ id }) => id));
    const dirty = [...this.#dirty];
    if (dirty.some((id) => !known.has(id))) return await this.#readAll();
    this.#dirty.clear();
    const fresh = new Map<string, RunLine | 'unreadable' | undefined>();
    for (const id of dirty) fresh.set(id, await this.#lineOf(id));
    this.#lines = this.#lines.flatMap((line) => {
      const now = fresh.has(line.id) ? fresh.get(line.id) : line;
      if (now === 'unreadable') return [line];
      return now === undefined || now.ended_ms !== null ? [] : [now];
    });
  }

  async #lineOf(id: string): Promise<RunLine | 'unreadable' | undefined> {
    const { runs, records, store, clock } = this.#ports;
    const run = this.#runs.get(id) ?? (await readIfSound(runs, id));
    if (run === undefined || run === 'unreadable') return run;
    this.#runs.set(id, run);
    const standingOf = (name: string) => {
      const worker = Object.hasOwn(store.state.workers, name) ? store.state.workers[name] : undefined;
      return worker && standing(worker);
    };
    return runLine(run, await records.openTasks(id), clock.now(), { standingOf });
  }
}
