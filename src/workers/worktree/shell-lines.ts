import type { Command } from '../../base/command.ts';
import type { Config } from '../../config/schema.ts';
import { userOf } from '../../sandbox/agent-user.ts';
import { environmentInside } from '../../sandbox/environment-inside.ts';
import type { WorkContext } from '../context.ts';
import { insideSandbox, isSandboxed } from './sandbox.ts';

export interface FailedLine {
  readonly line: string;
  readonly reason: string;
  /** The end of its output. */
  readonly output: string;
}

const OUTPUT_KEPT_LINES = 40;

/** Runs the user's command lines in a worktree, in order, until one fails; in the sandbox of its worker, if it has one, because they run what the agent wrote. */
export async function runLines(
  context: WorkContext,
  config: Config,
  worktree: string,
  lines: readonly string[],
  what: string,
): Promise<FailedLine | undefined> {
  for (const line of lines) {
    context.say(`${what}: ${line}`);
    const finished = await context.processes.run(lineCommand(context, config, worktree, line), {
      timeoutMs: config.repo.commandTimeoutSecs * 1_000,
      signal: context.signal,
      onLine: (text) => context.say(`  ${text}`),
    });
    const { outcome } = finished;
    if (outcome.kind === 'exited' && outcome.status === 0) continue;
    const output = `${finished.stdout}${finished.stderr}`.trimEnd().split('\n').slice(-OUTPUT_KEPT_LINES).join('\n');
    return { line, reason: describe(outcome), output };
  }
  return undefined;
}

function lineCommand(context: WorkContext, config: Config, worktree: string, line: string): Command {
  const env = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };
  const plain = { file: 'sh', args: ['-c', line], cwd: worktree, env };
  const worker = Object.values(context.store.state.workers).find((each) => each.worktree_path === worktree);
  if (worker === undefined || !isSandboxed(context, worker.name)) return plain;
  const user = userOf(context.layout, worker.name);
  const [file, ...args] = insideSandbox(context.layout, config, worker, { env: process.env, user }, ['sh', '-c', line]);
  const own = environmentInside(context.layout, worker.name, undefined);
  return { file, args, cwd: user === undefined ? '/' : worktree, env: { ...env, ...own } };
}

function describe(outcome: Awaited<ReturnType<WorkContext['processes']['run']>>['outcome']): string {
  switch (outcome.kind) {
    case 'exited':
      return `exit status ${outcome.status}`;
    case 'signaled':
      return `ended by ${outcome.signal}`;
    case 'timeout':
      return 'took too long ([repo] command_timeout_secs)';
    case 'aborted':
      return 'interrupted';
    case 'not-started':
      return outcome.reason;
  }
}
