import { basename, dirname } from 'node:path';
import type { Command } from '../base/command.ts';
import { LlmcError } from '../base/error.ts';
import { KeyedLocks } from '../base/keyed-locks.ts';
import type { Clock, Finished, Processes, RunOptions } from '../base/ports.ts';
import { findRefusal, refusalIn } from '../base/refusal.ts';
import { refusalHint, refusalText } from '../base/refusal-text.ts';
import { systemClock } from '../system/clock.ts';
import { type TreeFiles, treeFiles } from '../system/files/tree-files.ts';
import { type GitSurroundings, gitEnvironment } from './environment.ts';
import { endAtPipe, pipeFinder } from './pipes.ts';
import { type ConfigReader, Guard, type GuardOptions } from './private/guard.ts';
import { administrativeFolder, findWorkerByPath, type Place, placeEnvironment } from './private/place.ts';
import { parseSettings } from './source/local-config.ts';
import { walledFiles } from './walled-files.ts';
import { NO_WALLS, remakeHint, requireSandbox, type Wall, type Walls } from './walls.ts';

export { splitZ } from './split-z.ts';

/** One git call as data. `at` is absolute and passed with `-C`: the process's own directory does not matter. */
export interface GitCall extends GitSurroundings {
  readonly args: readonly string[];
  readonly stdin?: string;
  /** In a worktree: the call reads and writes only what llmc took in from the worker, in the store. */
  readonly outside?: true;
}

export interface GitAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Git {
  readonly files: TreeFiles;
  readonly processes: Processes;
  /** Dates what llmc saves by itself. */
  readonly clock: Clock;
  /** Returns any exit status. Throws only if git did not run to its end. */
  run(call: GitCall, options?: RunOptions): Promise<GitAnswer>;
  /** Returns stdout, and throws if the exit status is not 0. */
  ok(call: GitCall, options?: RunOptions): Promise<string>;
  /** The command of a call, for a caller that runs it by other means. */
  command(call: GitCall): Promise<Command>;
  /** Protects llmc's calls in its root. Undefined for a git that works only in repositories of the user. */
  readonly guard: Guard | undefined;
  /** One writer at a time per repository: git's own locks refuse a second one instead of waiting. */
  readonly locks: KeyedLocks;
  readonly walls: Walls;
}

export const read = (at: string, ...args: readonly string[]): GitCall => ({ at, access: 'read', args });
export const write = (at: string, ...args: readonly string[]): GitCall => ({ at, access: 'write', args });

/** A local git call that takes longer hangs. */
const TIMEOUT_MS = 600_000;

export function gitCommand(call: GitCall, place: Place = { kind: 'found' }): Command {
  const env = gitEnvironment(call, placeEnvironment(place));
  const command = { file: 'git', args: ['-C', call.at, ...call.args], cwd: '/', env };
  return call.stdin === undefined ? command : { ...command, stdin: call.stdin };
}

export interface GitOptions {
  readonly files?: TreeFiles;
  readonly clock?: Clock;
  /** The root whose clone and worktrees the calls may use. */
  readonly guard?: GuardOptions | undefined;
  readonly walls?: Walls;
  /** Ends the calls that only read. One that writes runs to its end: it may be in the middle of the user's checkout. */
  readonly stopReading?: AbortSignal | undefined;
}

/** Runs git in a worktree inside the sandbox of its worker, if it has one: then nothing that an agent wrote can act outside. */
export function openGit(processes: Processes, options: GitOptions = {}): Git {
  const { files = treeFiles, clock = systemClock, guard: guarded, walls = NO_WALLS, stopReading } = options;
  const isWalled = (worker: string) => guarded !== undefined && walls.around(administrativeFolder(guarded.root, worker)) !== undefined;
  const guard = guarded && new Guard({ ...guarded, isWalled }, configReader(processes));
  const wallOf = (call: GitCall) => (call.outside === true ? undefined : walls.around(call.at));
  const within = async (wall: Wall | undefined, call: GitCall) => {
    if (wall === undefined) return gitCommand(call, await guard?.before(call.at, call.access, call.outside));
    guard?.requireNoLink(call.at);
    return wall.enclose(gitCommand(call));
  };
  const once = async (call: GitCall, options: RunOptions) => {
    const wall = wallOf(call);
    const started = await within(wall, call);
    const finished = await endAtPipe(clock, pipeFinder(processes, guard?.root, call.at), (stop) => {
      const signals = [call.access === 'read' ? stopReading : undefined, options.signal, stop].filter((signal) => signal !== undefined);
      const signal = signals.length > 0 && { signal: AbortSignal.any(signals) };
      return processes.run(started, { timeoutMs: TIMEOUT_MS, ...options, ...signal });
    });
    if (wall !== undefined) requireSandbox(finished, wall);
    return toAnswer(finished, call);
  };
  const run = async (call: GitCall, options: RunOptions = {}) => {
    let answer = await once(call, options);
    for (let tries = 1; tries < 5 && sawHalfAWorktree(answer) && isRepeatable(call); tries += 1) answer = await once(call, options);
    return answer;
  };
  return {
    files: walls === NO_WALLS ? files : walledFiles(files, walls, processes),
    walls,
    processes,
    clock,
    guard,
    command: (call) => within(wallOf(call), call),
    run,
    async ok(call, options) {
      const answer = await run(call, options);
      if (answer.status !== 0) throw gitFailed(call, answer, guard && repositoryHint(guard.root, call, answer.stderr));
      return answer.stdout;
    },
    locks: new KeyedLocks(),
  };
}

/** The same git, for calls in a worktree that read only what llmc took in from its worker: commits, trees and refs in the store. */
export function outside(git: Git): Git {
  return {
    ...git,
    run: (call, options) => git.run({ ...call, outside: true }, options),
    ok: (call, options) => git.ok({ ...call, outside: true }, options),
    command: (call) => git.command({ ...call, outside: true }),
  };
}

/** Includes are off: the text is an agent's, and an include names any file. */
const parseCall = (text: string): GitCall => ({ ...read('/', 'config', '--file', '-', '--no-includes', '--list', '-z'), stdin: text });
export const listConfigCall = (repository: string): GitCall => read(repository, 'config', '--local', '--list', '-z');

function configReader(processes: Processes): ConfigReader {
  const list = async (call: GitCall) => {
    const { outcome, stdout, truncated } = await processes.run(gitCommand(call), { timeoutMs: TIMEOUT_MS });
    return outcome.kind === 'exited' && outcome.status === 0 && !truncated ? parseSettings(stdout) : undefined;
  };
  return { parse: (text) => list(parseCall(text)), local: (repository) => list(listConfigCall(repository)) };
}

/**
 * Commands that read all worktrees (list, checkout, rebase) fail if another git is just writing one
 * (seen with git 2.39). They have changed nothing by then, so llmc can repeat them.
 */
function sawHalfAWorktree(answer: GitAnswer): boolean {
  return answer.status !== 0 && /failed to read .*worktrees\/.*\/commondir/.test(answer.stderr);
}

/** `worktree add` cannot be repeated: it has already made its branch. */
const isRepeatable = (call: GitCall): boolean => !(call.args[0] === 'worktree' && call.args[1] === 'add');

export function toAnswer(finished: Finished, call: Pick<GitCall, 'at' | 'args'>): GitAnswer {
  const { outcome, stdout, stderr } = finished;
  switch (outcome.kind) {
    case 'exited':
      if (finished.truncated)
        throw new LlmcError('GIT_FAILED', `git ${subcommand(call)} printed more than llmc reads`, { details: call.at });
      return { status: outcome.status, stdout, stderr };
    case 'not-started':
      if (outcome.missing)
        throw new LlmcError('GIT_NOT_FOUND', 'git is not installed', { hint: 'Install git 2.38 or newer, then: llmc doctor' });
      throw notStarted(outcome.reason, outcome.cause);
    case 'aborted':
      throw new LlmcError('CANCELLED', `git ${subcommand(call)} was cancelled`);
    case 'timeout':
      throw new LlmcError('GIT_FAILED', `git ${subcommand(call)} did not finish in time`, { details: call.at });
    case 'signaled':
      throw new LlmcError('GIT_FAILED', `git ${subcommand(call)} was ended by ${outcome.signal}`, { details: stderr.trim() });
  }
}

function notStarted(reason: string, cause: Error | undefined): LlmcError {
  const refusal = findRefusal(cause);
  const why = refusal === undefined ? reason : refusalText(refusal);
  return new LlmcError('GIT_FAILED', `git could not be started: ${why}`, { hint: refusal && refusalHint(refusal), cause });
}

export function gitFailed(call: Pick<GitCall, 'at' | 'args'>, answer: GitAnswer, hint?: string): LlmcError {
  const text = answer.stderr.trim() || answer.stdout.trim();
  const refused = refusedBySystem(call, answer);
  if (refused !== undefined) return refused;
  return new LlmcError('GIT_FAILED', `git ${subcommand(call)} failed in ${call.at}: ${complaint(text) || `status ${answer.status}`}`, {
    hint: hint ?? lockHint(text) ?? configHint(text) ?? damageHint(call.at, text),
    // A single line is in the message already.
    details: text.includes('\n') ? text : undefined,
  });
}

/**
 * The error of a git call that the system did not let write, in the words of llmc; undefined if git failed for another reason.
 * @param place a path on the same disk, for what a person can type.
 */
export function refusedBySystem(
  call: Pick<GitCall, 'at' | 'args'>,
  { stderr, stdout }: GitAnswer,
  place = call.at === '/' ? undefined : call.at,
): LlmcError | undefined {
  const text = stderr.trim() || stdout.trim();
  const cause = refusalIn(text);
  const refusal = findRefusal(cause);
  if (refusal === undefined) return undefined;
  return new LlmcError('GIT_FAILED', `git ${subcommand(call)} failed in ${call.at}: ${refusalText(refusal)}`, {
    hint: refusalHint(refusal, place),
    details: text,
    cause,
  });
}

function lockHint(stderr: string): string | undefined {
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(stderr)?.[1];
  return lock === undefined ? undefined : `If no git is running there any more, remove ${lock} and try again.`;
}

/** git reads the format of a nested repository in its configuration, also for a status that does not enter it (git 2.39). */
function configHint(stderr: string): string | undefined {
  const file = /bad (?:numeric )?config .* in file (\S.*?)(?:: invalid unit)?$/m.exec(stderr)?.[1];
  if (file === undefined) return undefined;
  const repository = /^(.+)\/\.git\/config$/.exec(file)?.[1];
  const away = repository === undefined ? '' : `, or move ${repository} away`;
  return `git cannot read ${file}. Fix it${away}, then try again.`;
}

const DAMAGED =
  /bad (?:tree )?object|unable to read tree|missing (?:blob|tree|commit)|(?:loose|packed) object .* is corrupt|invalid sha1 pointer/;

/** What llmc took in of a worker is damaged. Its own repository may still have it. */
function damageHint(at: string, stderr: string): string | undefined {
  return DAMAGED.test(stderr) && basename(dirname(at)) === '.worktrees' ? 'llmc doctor --repair' : undefined;
}

const UNUSABLE = /not a git repository|cannot change to|Permission denied|unable to (?:read|access|append)/;

function repositoryHint(root: string, { at, outside }: GitCall, stderr: string): string | undefined {
  const worker = outside === true ? undefined : findWorkerByPath(root, at);
  return worker !== undefined && (UNUSABLE.test(stderr) || DAMAGED.test(stderr)) ? remakeHint(root, worker) : undefined;
}

/** Returns the line that says what went wrong, without git's prefix. */
export function complaint(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const line =
    lines.find((line) => line.startsWith('fatal:')) ?? lines.find((line) => line.startsWith('error:')) ?? lines.find((line) => line !== '');
  return (line ?? '').replace(/^(fatal|error): /, '');
}

function subcommand(call: Pick<GitCall, 'args'>): string {
  const words = call.args.filter((word, index) => word !== '-c' && call.args[index - 1] !== '-c');
  return words[0] ?? '';
}
