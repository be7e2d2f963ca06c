import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../src/cli/package-version.ts';
import { makeLayout } from '../../src/store/layout.ts';
import { type ApiServer, type Call, serveApi } from '../../src/supervisor/api/server.ts';
import { sharedReport } from '../../src/supervisor/follow/changes.ts';
import { Followers } from '../../src/supervisor/follow/followers.ts';
import type { StatusReport, WorkerReport } from '../../src/supervisor/report/status-report.ts';
import { systemClock, systemScheduler } from '../../src/system/clock.ts';
import { aReport } from '../../src/tui/samples.ts';
import { aState } from '../../src/workers/samples.ts';

/**
 * A root whose supervisor only reports: the real socket, the real protocol and the real followers, with workers that exist in the
 * report alone. So a view of 50 workers costs no 50 agents.
 */
export class StandInRoot implements AsyncDisposable {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'llmc-stand-in-')));
  readonly #layout = makeLayout(this.dir);
  readonly #followers: Followers;
  #report: StatusReport;
  #server: ApiServer | undefined;

  constructor(workers: readonly WorkerReport[]) {
    mkdirSync(this.#layout.run, { mode: 0o700 });
    writeFileSync(this.#layout.config, '[repo]\nsource = "/source"\nbranch = "main"\n');
    writeFileSync(this.#layout.state, JSON.stringify(aState()));
    this.#report = aReport(workers, { root: this.dir });
    const make = async (before: StatusReport | undefined) => (before === undefined ? this.#report : sharedReport(before, this.#report));
    this.#followers = new Followers({ make }, { clock: systemClock, scheduler: systemScheduler });
  }

  get env(): Record<string, string> {
    return { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', HOME: this.dir, TMPDIR: this.dir, LLMC_ROOT: this.dir };
  }

  get workers(): readonly WorkerReport[] {
    return this.#report.workers;
  }

  async serve(): Promise<this> {
    this.#server = await serveApi(this.#layout.apiSocket, version(), async (call) => await this.#answer(call));
    return this;
  }

  /** One event: a worker is different from now on. */
  change(name: string, changes: Partial<WorkerReport>): void {
    const workers = this.workers.map((worker) => (worker.name === name ? { ...worker, ...changes } : worker));
    this.#report = { ...this.#report, workers };
    this.#followers.markWorker(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#followers.close('the test is over');
    await this.#server?.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  async #answer(call: Call): Promise<unknown> {
    if (call.name === 'follow') return await this.#followers.follow(call, call.signal);
    call.push({ noScreen: 'no agent here' });
    return await new Promise((resolve) => call.signal.addEventListener('abort', resolve, { once: true }));
  }
}
