import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from '../../base/command.ts';
import { LlmcError } from '../../base/error.ts';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.ts';
import type { Finished, RunOptions } from '../../base/ports.ts';
import { type Git, openGit } from '../../git/run.ts';
import { type Layout, layoutOf } from '../../store/layout.ts';
import { type OwnedProcess, startOwned } from '../../system/owned-process.ts';
import { systemProcesses } from '../../system/processes.ts';
import { clearNow, strike } from './strike.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Everything the demo makes is in one temporary folder and one supervisor, and is gone when the block ends. */
export class Stage implements AsyncDisposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'llmc-demo-')));
  readonly root = join(this.base, 'root');
  readonly source = join(this.base, 'greeter');
  readonly scenarios = join(this.base, 'scenarios');
  readonly layout: Layout = layoutOf(this.root);
  readonly git: Git;
  readonly #interrupted: AbortSignal;
  readonly #hurry = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #lastResort = () => clearNow(this.#folders(), this.layout.tmuxSocket, this.#supervisor?.pid);
  #supervisor: OwnedProcess | undefined;

  readonly #say: (line: string) => void;

  constructor(interrupted: AbortSignal, say: (line: string) => void) {
    this.#interrupted = interrupted;
    this.#say = say;
    this.git = openGit({ run: (command, options) => this.#track({ ...command, env: { ...SURROUNDINGS, ...command.env } }, options) });
    process.on('exit', this.#lastResort);
  }

  /** Runs a command line of llmc as a user would, and gives its standard output. */
  async llmc(args: readonly string[], onLine?: (line: string) => void): Promise<string> {
    const finished = await this.#track(this.#own(args), onLine === undefined ? {} : { onLine });
    if (finished.outcome.kind === 'exited' && finished.outcome.status === 0) return finished.stdout;
    throw failure(args, finished);
  }

  /** Runs the supervisor beside the story. */
  startSupervisor(onLine: (line: string) => void): OwnedProcess {
    this.#supervisor = startOwned(this.#own(['up']), onLine);
    return this.#supervisor;
  }

  /** Nothing of the story goes on after an interruption, whatever it waits for. */
  async unlessInterrupted<T>(work: Promise<T>): Promise<T> {
    const stop = Promise.withResolvers<never>();
    const onAbort = () => stop.reject(this.#interrupted.reason);
    this.#interrupted.addEventListener('abort', onAbort, { once: true });
    if (this.#interrupted.aborted) onAbort();
    try {
      return await Promise.race([work, stop.promise]);
    } finally {
      this.#interrupted.removeEventListener('abort', onAbort);
    }
  }

  async #track(command: Command, options: RunOptions = {}): Promise<Finished> {
    this.#interrupted.throwIfAborted();
    const running = systemProcesses.run(command, { ...options, signal: this.#hurry.signal });
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
    return await this.unlessInterrupted(running);
  }

  #own(args: readonly string[]): Command {
    const env: Env = { ...SURROUNDINGS, LLMC_ROOT: this.root, LLMC_DEMO_SCENARIO: this.scenarios };
    return { file: process.execPath, args: [process.argv[1] ?? '', ...args], cwd: this.base, env };
  }

  /** A socket's path has a limit, so a long temporary folder has its sockets elsewhere. */
  #folders(): readonly string[] {
    const sockets = dirname(this.layout.tmuxSocket);
    return sockets.startsWith(this.base) ? [this.base] : [this.base, sockets];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const left = await strike({
      supervisor: this.#supervisor,
      tmuxSocket: this.layout.tmuxSocket,
      running: this.#running,
      hurry: () => this.#hurry.abort(),
      folders: this.#folders(),
    });
    process.off('exit', this.#lastResort);
    for (const folder of left) this.#say(`${folder} could not be removed`);
  }
}

/** Neither the user's git settings (signing, hooks) nor the worker this may run in have a part in the demo. */
const SURROUNDINGS: Env = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  LLMC_WORKER: undefined,
  LLMC_DEMO_MISBEHAVE: undefined,
  LLMC_DEMO_TRUST: undefined,
  NO_COLOR: '1',
};

function failure(args: readonly string[], finished: Finished): LlmcError {
  const [, code = '', message = ''] = /^([A-Z_]+): (.+)$/m.exec(finished.stderr) ?? [];
  const details = `${finished.stdout}${finished.stderr}`.trim();
  if (isCode(code)) return new LlmcError(code, `llmc ${args[0]}: ${message}`, { hint: 'llmc doctor', details });
  return new LlmcError('INTERNAL', `llmc ${args[0]} ended unexpectedly (${JSON.stringify(finished.outcome)})`, { details });
}

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
