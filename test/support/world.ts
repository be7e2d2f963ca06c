import { execFile } from 'node:child_process';
import { appendFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { z } from 'zod';
import { version } from '../../src/cli/package-version.ts';
import { makeLayout } from '../../src/store/layout.ts';
import { ask, reachSupervisor } from '../../src/supervisor/api/client.ts';
import { trySignal } from '../../src/system/processes/signal.ts';
import { processesWith } from '../package/processes-with.ts';
import { keepAccount } from './accounts.ts';
import { answered } from './answered.ts';
import { madeOnce } from './made-once.ts';
import { isAlive, until } from './scratch-tmux.ts';
import { errorContract, type StatusContract, statusContract } from './world-contract.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');
/** The script that decides in the tests, in the place of a person: `permit` names it in config.toml. */
export const TYPED = join(import.meta.dirname, 'typed.sh');
/** The timeout of a command: longer than any takes, `llmc run` and `llmc wait --timeout 4m` included, and shorter than a test may take. */
const LONGEST_MS = 280_000;

export interface WorldOptions {
  readonly workers?: readonly string[];
  readonly source?: SourceOptions;
  /** The scenario of the demo agent: one for all workers, or one each; a worker without one makes the built-in small change. */
  readonly scenario?: string | Readonly<Record<string, string>>;
  /** Added at the end of config.toml. */
  readonly config?: string;
  /** What to make: only the repository, a root with its workers, or (default) a running supervisor. */
  readonly stage?: 'source' | 'root' | 'up';
}

export interface SourceOptions {
  readonly branch?: string;
  /** Name of the directory. */
  readonly name?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /** Leave open what llmc would ask on a terminal. */
  readonly unanswered?: true;
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Refusal extends z.infer<typeof errorContract> {
  readonly status: number | null;
}

/** An isolated machine for one test: home, repository, root and all processes of the root. */
export class World implements AsyncDisposable {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'llmc-world-')));
  readonly home = join(this.dir, 'home');
  readonly temporary = join(this.dir, 'tmp');
  readonly scenarios = join(this.dir, 'scenarios');
  readonly root = join(this.dir, 'root');
  readonly source: string;
  readonly #mark = `LLMC_TEST_MARK=${this.dir}`;
  readonly #endAll = () => endProcesses(this.#mark);
  readonly #account = keepAccount(this.root);

  constructor(sourceName: string) {
    this.source = join(this.dir, sourceName);
    for (const folder of [this.home, this.temporary, this.scenarios]) mkdirSync(folder);
    const identity = '[user]\n  name = World User\n  email = world@example.test\n[init]\n  defaultBranch = main\n';
    writeFileSync(join(this.home, '.gitconfig'), identity);
    // An interrupted test run does not reach the end of its blocks.
    process.once('exit', this.#endAll);
  }

  /** Only PATH comes from the caller's environment. */
  get env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      LANG: 'C.UTF-8',
      HOME: this.home,
      TMPDIR: this.temporary,
      GIT_CONFIG_NOSYSTEM: '1',
      LLMC_ROOT: this.root,
      LLMC_TEST_MARK: this.dir,
    };
  }

  /** Runs llmc with the arguments that a person would type. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const typed = options.unanswered === true ? args : answered(args);
    return execute(TYPED, [process.execPath, COMMAND, ...typed], { cwd: this.dir, ...options, env: { ...this.env, ...options.env } });
  }

  /** Runs a line in `sh`, in which "$@" stands for llmc. */
  shell(line: string): Promise<Ran> {
    return execute(TYPED, ['sh', '-c', line, 'sh', process.execPath, COMMAND], { cwd: this.dir, env: this.env });
  }

  /** Runs a command that must succeed; returns its stdout. */
  async ok(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(args);
    expect(status, `llmc ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
    if (args[0] === 'init') permit(args.includes('--target') ? resolve(this.dir, args[args.indexOf('--target') + 1] ?? '') : this.root);
    return stdout;
  }

  /** Runs `llmc up --detach`, and expects that every worker is ready afterwards. */
  async comeUp(...args: string[]): Promise<string> {
    const printed = await this.ok('up', '--detach', ...args);
    expect(printed).not.toContain('not ready');
    return printed;
  }

  async json<Schema extends z.ZodType>(schema: Schema, ...args: string[]): Promise<z.infer<Schema>> {
    return schema.parse(JSON.parse(await this.ok(...args, '--json')));
  }

  /** Runs a command that must fail; returns its error as `--json` prints it, in the shape of the contract. */
  async refused(args: readonly string[], options?: RunOptions): Promise<Refusal> {
    const { status, stdout, stderr } = await this.run(['--json', ...args], options);
    expect(status, `llmc ${args.join(' ')}\n${stdout}${stderr}`).not.toBe(0);
    return { status, ...errorContract.parse(JSON.parse(stdout).error) };
  }

  /** What `llmc status --json` prints: from the supervisor itself, because tests ask often and a process costs most. */
  async status(): Promise<StatusContract> {
    const answered = await statusBySocket(this.root);
    return answered === undefined ? await this.json(statusContract, 'status') : statusContract.parse(answered);
  }

  async worker(name: string): Promise<StatusContract['workers'][number]> {
    const found = (await this.status()).workers.find((worker) => worker.name === name);
    if (found === undefined) throw new Error(`status shows no worker ${name}`);
    return found;
  }

  async git(...args: string[]): Promise<string> {
    return await this.gitIn(this.source, ...args);
  }

  async gitIn(at: string, ...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await execute('git', args, { cwd: at, env: this.env });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trimEnd();
  }

  worktree(name: string): string {
    return join(this.root, '.worktrees', name);
  }

  write(file: string, text: string, at = this.source): void {
    mkdirSync(dirname(join(at, file)), { recursive: true });
    writeFileSync(join(at, file), text);
  }

  /** Puts a line into a table of config.toml that `llmc init` has written. */
  set(table: 'repo' | 'defaults', line: string): void {
    const file = join(this.root, 'config.toml');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(`[${table}]\n`, (heading) => `${heading}${line}\n`),
    );
  }

  /** Reads llmc.db beside a running supervisor. */
  rows<Schema extends z.ZodType>(schema: Schema, sql: string, ...values: string[]): z.infer<Schema>[] {
    using database = new DatabaseSync(join(this.root, 'llmc.db'), { readOnly: true, timeout: 30_000 });
    return database
      .prepare(sql)
      .all(...values)
      .map((row) => schema.parse(row));
  }

  /** The process in a worker's terminal. */
  async panePid(name: string): Promise<number> {
    const socket = join(this.root, 'run', 'tmux.sock');
    const { stdout } = await execute('tmux', ['-S', socket, 'display-message', '-p', '-t', `=llmc-${name}:`, '#{pane_pid}'], {
      cwd: this.dir,
      env: this.env,
    });
    return aProcess(Number(stdout), `the agent of ${name}`);
  }

  async supervisorPid(): Promise<number> {
    return aProcess((await this.status()).supervisor.pid ?? 0, 'a supervisor');
  }

  /** Kills the supervisor and waits for its end: a dying one may still accept a request. */
  async killSupervisor(): Promise<void> {
    const pid = await this.supervisorPid();
    process.kill(pid, 'SIGKILL');
    await until('the supervisor to be gone', async () => !isAlive(pid));
  }

  processes(): string[] {
    return processesWith(this.#mark);
  }

  /** Ends every process without a word, as when a machine loses power. The supervisor first: it would start again what ends before it. */
  async cutPower(): Promise<void> {
    trySignal(await this.supervisorPid(), 'SIGKILL');
    await until('everything to be gone', async () => endProcesses(this.#mark) === 0);
  }

  /** Ends all processes, and throws if `llmc down` left one behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#endAll);
    this.#account[Symbol.dispose]();
    try {
      await this.run(['down', '--force']);
      await until('every process of this world to end', async () => this.processes().length === 0);
    } catch (cause) {
      throw new Error(`left behind: ${this.processes().join('; ')}`, { cause });
    } finally {
      this.#endAll();
      await rm(this.dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  }
}

/** Lets the commands of the tests decide in a root. */
export function permit(root: string): void {
  const file = join(root, 'config.toml');
  const text = readFileSync(file, 'utf8');
  if (text.includes('[people]')) return;
  writeFileSync(file, text.replace('[defaults]\n', `[people]\nscripts = [${JSON.stringify(TYPED)}]\n\n[defaults]\n`));
}

/** `await using world = await llmcWorld({ workers: ['adam'] })` */
export async function llmcWorld(options: WorldOptions = {}): Promise<World> {
  const { source = {}, workers = [], stage = 'up' } = options;
  const world = new World(source.name ?? 'source');
  try {
    const made = JSON.stringify(source);
    await copiedOrMade(world, `source ${made}`, world.source, () => makeSource(world, source));
    if (stage === 'source') return world;
    // Settings may let `llmc add` do more: copy files, run set-up lines, give files to another user.
    const early = options.config === undefined ? workers : [];
    const kind = `root ${made} ${await world.git('rev-parse', 'HEAD')} ${early.join(' ')}`;
    await copiedOrMade(world, kind, world.root, () => makeRoot(world, early));
    configure(world, options);
    for (const name of workers.slice(early.length)) await world.ok('add', name);
    if (stage === 'up') await world.comeUp();
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

async function copiedOrMade(world: World, kind: string, path: string, make: () => Promise<void>): Promise<void> {
  const isCopy = await madeOnce(kind, path, world.dir, make);
  if (!isCopy) return;
  // git takes the copied files for changed ones until it has compared them.
  const worktrees = path === world.source ? [path] : globSync(join(path, '.worktrees', '*'));
  for (const worktree of worktrees) await world.gitIn(worktree, 'update-index', '-q', '--refresh');
}

async function makeRoot(world: World, workers: readonly string[]): Promise<void> {
  await world.ok('init', '--source', world.source, '--agent', 'demo');
  // On a slow machine a round of the patrol would run during some tests and not during others.
  world.set('defaults', 'patrol_interval_secs = 3600');
  for (const name of workers) await world.ok('add', name);
}

async function makeSource(world: World, { branch = 'main', files = { 'README.md': 'hello\n' } }: SourceOptions): Promise<void> {
  mkdirSync(world.source, { recursive: true });
  await world.git('init', '--quiet', `--initial-branch=${branch}`);
  for (const [file, text] of Object.entries(files)) world.write(file, text);
  await world.git('add', '--all');
  await world.git('commit', '--quiet', '-m', 'Begin');
}

function configure(world: World, { scenario, config = '' }: WorldOptions): void {
  const lines = [config];
  if (scenario !== undefined) {
    const files = typeof scenario === 'string' ? { all: scenario } : scenario;
    for (const [name, text] of Object.entries(files)) writeFileSync(join(world.scenarios, `${name}.yaml`), text);
    const place = typeof scenario === 'string' ? join(world.scenarios, 'all.yaml') : world.scenarios;
    lines.push('[agents.demo]', `args = ["--scenario", ${JSON.stringify(place)}]`);
  }
  appendFileSync(join(world.root, 'config.toml'), `\n${lines.join('\n')}\n`);
}

/** Undefined without a supervisor that answers: then the command knows what to say. */
async function statusBySocket(root: string): Promise<unknown> {
  const { apiSocket, owner } = makeLayout(root);
  const socket = await reachSupervisor(apiSocket);
  try {
    if (socket === undefined) return undefined;
    return await ask(socket, { version: version(), name: 'status', args: { inWords: false }, say: () => undefined, ownerFile: owner });
  } catch {
    return undefined;
  } finally {
    socket?.destroy();
  }
}

function execute(file: string, args: readonly string[], { cwd, env, stdin }: RunOptions): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      [...args],
      { cwd, env: { ...env }, timeout: LONGEST_MS, killSignal: 'SIGKILL', maxBuffer: 64 << 20 },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ status, stdout, stderr: error === null || status !== null ? stderr : `${stderr}${error.message}` });
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin ?? '');
  });
}

/** A signal to process 0 would go to the whole test run. */
function aProcess(pid: number, what: string): number {
  if (!(pid > 0)) throw new Error(`${what} does not run`);
  return pid;
}

/** Returns how many there were: what is killed takes a moment to end, and may have started something before. */
function endProcesses(mark: string): number {
  const pids = processesWith(mark).map((line) => Number.parseInt(line, 10));
  for (const pid of pids) trySignal(pid, 'SIGKILL');
  return pids.length;
}
