import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.ts';
import { type Git, openGit } from '../../git/run.ts';
import { type Layout, layoutOf } from '../../store/layout.ts';
import { type Ended, type OwnedProcess, startOwned } from '../../system/processes/owned-process.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { clearNow, type Scenery, strike } from './strike.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Neither the user's git settings (signing, hooks) nor the worker this may run in have a part in the demo. */
const SURROUNDINGS: Env = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  LLMC_WORKER: undefined,
  LLMC_DEMO_MISBEHAVE: undefined,
  LLMC_DEMO_TRUST: undefined,
  NO_COLOR: '1',
};

/** Everything the demo makes is in one temporary folder and in processes started here, and is gone when the block ends. */
export class Stage implements AsyncDisposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'llmc-demo-')));
  readonly root = join(this.base, 'root');
  readonly source = join(this.base, 'greeter');
  readonly scenarios = join(this.base, 'scenarios');
  readonly layout: Layout = layoutOf(this.root);
  readonly git: Git;
  readonly #interrupted: AbortSignal;
  readonly #say: (line: string) => void;
  readonly #commands = new Set<OwnedProcess>();
  readonly #lastResort = () => clearNow(this.#scenery());
  #supervisor: OwnedProcess | undefined;

  constructor(interrupted: AbortSignal, say: (line: string) => void) {
    this.#interrupted = interrupted;
    this.#say = say;
    this.git = openGit({
      run: (command, options) => systemProcesses.run({ ...command, env: { ...SURROUNDINGS, ...command.env } }, options),
    });
    process.on('exit', this.#lastResort);
  }

  /** Runs a command line of llmc as a user would, and gives its standard output. */
  async llmc(args: readonly string[], onLine?: (line: string) => void): Promise<string> {
    this.#interrupted.throwIfAborted();
    const command = this.#start(args, onLine);
    this.#commands.add(command);
    const ended = await this.unlessInterrupted(command.ended);
    this.#commands.delete(command);
    if (ended.status === 0) return ended.stdout;
    throw failure(args, ended);
  }

  /** Runs the supervisor beside the story. */
  startSupervisor(onLine: (line: string) => void): OwnedProcess {
    this.#supervisor = this.#start(['up'], onLine);
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

  #start(args: readonly string[], onLine?: (line: string) => void): OwnedProcess {
    const env: Env = { ...SURROUNDINGS, LLMC_ROOT: this.root, LLMC_DEMO_SCENARIO: this.scenarios };
    return startOwned({ file: process.execPath, args: [process.argv[1] ?? '', ...args], cwd: this.base, env }, onLine);
  }

  #scenery(): Scenery {
    const { root, tmuxSocket } = this.layout;
    const sockets = dirname(tmuxSocket);
    // A socket's path has a limit, so a long temporary folder has its sockets elsewhere.
    const folders = sockets.startsWith(this.base) ? [this.base] : [this.base, sockets];
    return { root, supervisor: this.#supervisor, commands: this.#commands, tmuxSocket, folders };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const left = await strike(this.#scenery());
    process.off('exit', this.#lastResort);
    for (const folder of left) this.#say(`${folder} could not be removed`);
  }
}

/** What the command said, which the audience has seen already, in the demo's own name. */
function failure(args: readonly string[], { status, stdout, stderr }: Ended): LlmcError {
  const [, code = '', message = ''] = /^([A-Z_]+): (.+)$/m.exec(stderr) ?? [];
  const hint = /^→ (.+)$/m.exec(stderr)?.[1];
  if (isCode(code)) return new LlmcError(code, `llmc ${args[0]}: ${message}`, { hint });
  return new LlmcError('INTERNAL', `llmc ${args[0]} ended with ${status ?? 'a signal'}`, { details: `${stdout}${stderr}`.trim() });
}

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
