import type { Command } from '../base/command.ts';
import { LlmcError } from '../base/error.ts';
import type { Finished, Processes, RunOptions } from '../base/ports.ts';
import { type TreeFiles, treeFiles } from '../system/tree-files.ts';

/** One git call as data. `at` is absolute: git is told with `-C`, never by the process's own directory. */
export interface GitCall {
  readonly at: string;
  readonly access: 'read' | 'write';
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /** Lets git look for the repository in the directories above `at` too. */
  readonly discover?: true;
}

export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Git {
  readonly files: TreeFiles;
  readonly processes: Processes;
  /** Any exit status is an answer; throws only when git could not be run to its end. */
  run(call: GitCall, options?: RunOptions): Promise<Answer>;
  /** Stdout of a call that has to succeed. */
  ok(call: GitCall, options?: RunOptions): Promise<string>;
}

export const read = (at: string, ...args: readonly string[]): GitCall => ({ at, access: 'read', args });
export const write = (at: string, ...args: readonly string[]): GitCall => ({ at, access: 'write', args });

/** A local git that has not answered by then hangs on something no one will answer. */
const TIMEOUT_MS = 600_000;

/**
 * What a hook, an alias or `git rebase --exec` may have left in the environment:
 * each of these would point our git at another repository, index or editor.
 */
const INHERITED = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_PREFIX',
  'GIT_NAMESPACE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_REPLACE_REF_BASE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_CONFIG',
  'GIT_CONFIG_PARAMETERS',
  'GIT_AUTHOR_DATE',
  'GIT_COMMITTER_DATE',
  'GIT_REFLOG_ACTION',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
  'GIT_TRACE',
] as const;

const CLEAN_ENV: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(INHERITED.map((name) => [name, undefined])),
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  // Messages are read by patterns, so they must be the English ones.
  LC_ALL: 'C',
};

export function gitEnvironment(call: Pick<GitCall, 'at' | 'access' | 'env' | 'discover'>): Readonly<Record<string, string | undefined>> {
  return {
    ...CLEAN_ENV,
    // A worktree that lost its `.git` file lies inside the root: git would find the root's repository and work on that.
    // `/..` is left for git to resolve, so that it also holds when `at` is a symbolic link.
    ...(call.discover ? {} : { GIT_CEILING_DIRECTORIES: `${call.at}/..` }),
    ...(call.access === 'read' && { GIT_OPTIONAL_LOCKS: '0' }),
    ...call.env,
  };
}

export function gitCommand(call: GitCall): Command {
  const command = { file: 'git', args: ['-C', call.at, ...call.args], cwd: '/', env: gitEnvironment(call) };
  return call.stdin === undefined ? command : { ...command, stdin: call.stdin };
}

export function openGit(processes: Processes, files: TreeFiles = treeFiles): Git {
  const run = async (call: GitCall, options: RunOptions = {}) =>
    answerOf(await processes.run(gitCommand(call), { timeoutMs: TIMEOUT_MS, ...options }), call);
  return {
    files,
    processes,
    run,
    async ok(call, options) {
      const answer = await run(call, options);
      if (answer.status !== 0) throw gitFailed(call, answer);
      return answer.stdout;
    },
  };
}

export function answerOf(finished: Finished, call: Pick<GitCall, 'at' | 'args'>): Answer {
  const { outcome, stdout, stderr } = finished;
  switch (outcome.kind) {
    case 'exited':
      if (finished.truncated)
        throw new LlmcError('GIT_FAILED', `git ${subcommand(call)} printed more than llmc reads`, { details: call.at });
      return { status: outcome.status, stdout, stderr };
    case 'not-started':
      if (outcome.missing)
        throw new LlmcError('GIT_NOT_FOUND', 'git is not installed', { hint: 'Install git 2.38 or newer, then: llmc doctor' });
      throw new LlmcError('GIT_FAILED', `git could not be started: ${outcome.reason}`);
    case 'aborted':
      throw new LlmcError('CANCELLED', `git ${subcommand(call)} was cancelled`);
    case 'timeout':
      throw new LlmcError('GIT_FAILED', `git ${subcommand(call)} did not finish in time`, { details: call.at });
    case 'signaled':
      throw new LlmcError('GIT_FAILED', `git ${subcommand(call)} was ended by ${outcome.signal}`, { details: stderr.trim() });
  }
}

export function gitFailed(call: Pick<GitCall, 'at' | 'args'>, answer: Answer, hint?: string): LlmcError {
  const text = answer.stderr.trim() || answer.stdout.trim();
  return new LlmcError('GIT_FAILED', `git ${subcommand(call)} failed in ${call.at}: ${complaint(text) || `status ${answer.status}`}`, {
    hint: hint ?? lockHint(text),
    details: text,
  });
}

function lockHint(stderr: string): string | undefined {
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(stderr)?.[1];
  return lock === undefined ? undefined : `If no git is running there any more, remove ${lock} and try again.`;
}

/** The line that says what went wrong, without git's own prefix. */
export function complaint(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const telling =
    lines.find((line) => line.startsWith('fatal:')) ?? lines.find((line) => line.startsWith('error:')) ?? lines.find((line) => line !== '');
  return (telling ?? '').replace(/^(fatal|error): /, '');
}

function subcommand(call: Pick<GitCall, 'args'>): string {
  const words = call.args.filter((word, index) => word !== '-c' && call.args[index - 1] !== '-c');
  return words[0] ?? '';
}

/** Splits `-z` output; the list ends with a terminator, not a separator. */
export function splitZ(text: string): string[] {
  const parts = text.split('\0');
  if (parts.at(-1) === '') parts.pop();
  return parts;
}
