import type { Command } from '../../base/command.ts';
import type { Config } from '../../config/schema.ts';
import { userOf } from '../../sandbox/agent-user.ts';
import { environmentInside } from '../../sandbox/environment-inside.ts';
import type { WorkContext } from '../context.ts';
import { lineEnvironment } from './line-environment.ts';
import type { OutputFile } from './output-file.ts';
import { insideSandbox, isSandboxed } from './sandbox.ts';

export interface FailedLine {
  readonly line: string;
  readonly reason: string;
  /** The end of its output. */
  readonly output: string;
  /** The file with the whole output. */
  readonly log?: string;
}

export interface LineOptions {
  /** Gets the whole output. */
  readonly output?: OutputFile;
  readonly onStart?: (line: string) => void;
}

const OUTPUT_KEPT_LINES = 40;

/** Runs the user's command lines in a worktree, in order, until one fails; in the sandbox of its worker, if it has one, because they run what the agent wrote. */
export async function runLines(
  context: WorkContext,
  config: Config,
  worktree: string,
  lines: readonly string[],
  what: string,
  { output, onStart }: LineOptions = {},
): Promise<FailedLine | undefined> {
  for (const line of lines) {
    context.say(`${what}: ${line}`);
    output?.add(`$ ${line}`);
    onStart?.(line);
    const finished = await context.processes.run(lineCommand(context, config, worktree, line), {
      timeoutMs: config.repo.commandTimeoutSecs * 1_000,
      signal: context.signal,
      onLine: (text) => {
        context.say(`  ${text}`);
        output?.add(text);
      },
    });
    const { outcome } = finished;
    output?.add(`(${describe(outcome)})`);
    output?.flush();
    if (outcome.kind === 'exited' && outcome.status === 0) continue;
    const said = `${finished.stdout}${finished.stderr}`.trimEnd().split('\n').slice(-OUTPUT_KEPT_LINES).join('\n');
    return { line, reason: describe(outcome), output: said, ...(output && { log: output.path }) };
  }
  return undefined;
}

function lineCommand(context: WorkContext, config: Config, worktree: string, line: string): Command {
  const env = lineEnvironment(process.env);
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
