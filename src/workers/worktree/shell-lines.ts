import type { Command } from '../../base/command.ts';
import { formatSpan } from '../../base/duration.ts';
import type { Outcome } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { userOf } from '../../sandbox/agent-user.ts';
import { environmentInside } from '../../sandbox/environment-inside.ts';
import type { WorkContext } from '../context.ts';
import { lineEnvironment } from './line-environment.ts';
import { OutputEcho } from './output-echo.ts';
import { OutputFile } from './output-file.ts';
import { insideSandbox, isSandboxed } from './sandbox.ts';

export interface FailedLine {
  readonly line: string;
  readonly reason: string;
  /** It took longer than it may. */
  readonly late: boolean;
  /** The end of its output. */
  readonly output: string;
  /** The file with the whole output. */
  readonly log: string;
}

export interface LineOptions {
  /** The file that gets the whole output. */
  readonly log: string;
  readonly onStart?: (line: string) => void;
  /** How long one line may take; `command_timeout_secs` if it is not said. */
  readonly timeoutMs?: number | undefined;
  /** Ends the line that runs, as the end of the command that is being answered does. */
  readonly signal?: AbortSignal;
  /** Called with the process that leads the group of a line. */
  readonly onProcess?: (pid: number) => void;
  /** What the lines find in their environment besides that of the user. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs the user's command lines in a worktree, in order, until one fails; in the sandbox of its worker, if it has one, because they run
 * what the agent wrote. The person sees the beginning and the end of the output of each, and the path of the file with all of it.
 */
export async function runLines(
  context: WorkContext,
  config: Config,
  worktree: string,
  lines: readonly string[],
  what: string,
  { log, onStart, onProcess, timeoutMs, signal, env }: LineOptions,
): Promise<FailedLine | undefined> {
  const output = new OutputFile(context.files, log, context.say);
  for (const line of lines) {
    context.say(`${what}: ${line}`);
    output.add(`$ ${line}`);
    const echo = new OutputEcho(context.say, log);
    onStart?.(line);
    const command = lineCommand(context, config, worktree, line);
    const { outcome } = await context.processes.run(env === undefined ? command : { ...command, env: { ...command.env, ...env } }, {
      timeoutMs: timeoutMs ?? config.repo.commandTimeoutSecs * 1_000,
      signal: signal === undefined ? context.signal : AbortSignal.any([context.signal, signal]),
      onlyLines: true,
      ...(onProcess && { onStart: onProcess }),
      onLine: (text) => {
        echo.add(text);
        output.add(text);
      },
    });
    const reason = describe(outcome, timeoutMs);
    output.add(`(${reason})`);
    output.flush();
    const end = echo.end();
    if (outcome.kind === 'exited' && outcome.status === 0) continue;
    return { line, reason, late: outcome.kind === 'timeout', output: end, log };
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

function describe(outcome: Outcome, timeoutMs: number | undefined): string {
  switch (outcome.kind) {
    case 'exited':
      return `exit status ${outcome.status}`;
    case 'signaled':
      return `ended by ${outcome.signal}`;
    case 'timeout':
      return `took too long (${timeoutMs === undefined ? '[repo] command_timeout_secs' : formatSpan(timeoutMs)})`;
    case 'aborted':
      return 'interrupted';
    case 'not-started':
      return outcome.reason;
  }
}
