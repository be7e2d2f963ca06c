import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.ts';
import { type Git, openGit } from '../../git/run.ts';
import { type Layout, makeLayout } from '../../store/layout.ts';
import { type Ended, type OwnedProcess, startOwned } from '../../system/processes/owned-process.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { type DemoResources, tearDown, tearDownNow } from './tear-down.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Isolates the demo from the user's git settings (signing, hooks) and from the worker that it may run in. */
const ISOLATION: Env = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  LLMC_WORKER: undefined,
  LLMC_DEMO_MISBEHAVE: undefined,
  LLMC_DEMO_TRUST: undefined,
  NO_COLOR: '1',
};

/** Owns everything that the demo creates, a temporary folder and processes, and removes it on disposal. */
export class DemoStage implements AsyncDisposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'llmc-demo-')));
  readonly root = join(this.base, 'root');
  readonly source = join(this.base, 'greeter');
  readonly scenarios = join(this.base, 'scenarios');
  /** The agents note here which tasks they begin and end. */
  readonly record = join(this.base, 'tasks.jsonl');
  readonly layout: Layout = makeLayout(this.root);
  readonly git: Git;
  readonly #interrupted: AbortSignal;
  readonly #say: (line: string) => void;
  readonly #commands = new Set<OwnedProcess>();
  readonly #lastResort = () => tearDownNow(this.#resources());
  #supervisor: OwnedProcess | undefined;

  constructor(interrupted: AbortSignal, say: (line: string) => void) {
    this.#interrupted = interrupted;
    this.#say = say;
    this.git = openGit({
      run: (command, options) => systemProcesses.run({ ...command, env: { ...ISOLATION, ...command.env } }, options),
    });
    process.on('exit', this.#lastResort);
  }

  /** Runs an llmc command as a user would and returns its standard output. */
  async llmc(args: readonly string[], onLine?: (line: string) => void): Promise<string> {
    this.#interrupted.throwIfAborted();
    const command = this.#start(args, onLine);
    this.#commands.add(command);
    const ended = await this.unlessInterrupted(command.ended);
    this.#commands.delete(command);
    if (ended.status === 0) return ended.stdout;
    throw failure(args, ended);
  }

  /** Starts the supervisor in the background. */
  startSupervisor(onLine: (line: string) => void): OwnedProcess {
    this.#supervisor = this.#start(['up'], onLine);
    return this.#supervisor;
  }

  /** Ends the supervisor as a power cut would, and waits until it is gone. */
  async killSupervisor(): Promise<void> {
    this.#supervisor?.signal('SIGKILL');
    await this.#supervisor?.ended;
  }

  /** Waits for the work, and rejects at once if the demo is interrupted. */
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
    // The root is gone after the demo: it is recorded nowhere else.
    const env: Env = {
      ...ISOLATION,
      XDG_STATE_HOME: join(this.base, 'state'),
      LLMC_ROOT: this.root,
      LLMC_DEMO_SCENARIO: this.scenarios,
      LLMC_DEMO_RECORD: this.record,
    };
    return startOwned({ file: process.execPath, args: [process.argv[1] ?? '', ...args], cwd: this.base, env }, onLine);
  }

  #resources(): DemoResources {
    const { root, tmuxSocket } = this.layout;
    const sockets = dirname(tmuxSocket);
    // The length of a socket path is limited, so with a long temporary folder the sockets are elsewhere.
    const folders = sockets.startsWith(this.base) ? [this.base] : [this.base, sockets];
    return { root, supervisor: this.#supervisor, commands: this.#commands, tmuxSocket, folders };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const left = await tearDown(this.#resources());
    process.off('exit', this.#lastResort);
    for (const folder of left) this.#say(`${folder} could not be removed`);
  }
}

/** The error of a failed command as the error of the demo. */
function failure(args: readonly string[], { status, stdout, stderr }: Ended): LlmcError {
  const [, code = '', message = ''] = /^([A-Z_]+): (.+)$/m.exec(stderr) ?? [];
  const hint = /^→ (.+)$/m.exec(stderr)?.[1];
  if (isCode(code)) return new LlmcError(code, `llmc ${args[0]}: ${message}`, { hint });
  return new LlmcError('INTERNAL', `llmc ${args[0]} ended with ${status ?? 'a signal'}`, { details: `${stdout}${stderr}`.trim() });
}

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
