import { basename } from 'node:path';
import type { Command } from '../../base/command.ts';
import { formatSpan } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import type { ProcessOutcome } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { readAgentUser } from '../../sandbox/agent-user.ts';
import { environmentInside, listedEnvironment } from '../../sandbox/environment-inside.ts';
import type { Worker } from '../../store/state.ts';
import { noteAgents } from '../../system/processes/agents-since.ts';
import { LINE_MARK } from '../../system/processes/strays.ts';
import type { WorkContext } from '../context.ts';
import { endLeftovers, lineMark } from './leftovers.ts';
import { lineEnvironment } from './line-environment.ts';
import { OutputEcho } from './output-echo.ts';
import { CommandOutputFile } from './output-file.ts';
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
  /** Under which id what they leave running is found, also by a later process; a new one if it is not said. */
  readonly mark?: string;
  /** What the lines find in their environment besides that of the user. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Where command lines run, and whose files they find there. */
export interface Ground {
  readonly at: string;
  /** The workers that wrote files there which are not on main; none for a folder that has only what is on main. */
  readonly of: readonly string[];
  /** The agent in whose sandbox they run, for a folder that is not the worktree of a worker. */
  readonly agent?: string | undefined;
}

/**
 * Runs the user's command lines in a folder, in order, until one fails. Every line that can touch files of an agent runs here: in the
 * sandbox of the worker that wrote them, if it has one, and not at all if there is no sandbox for all of them. The person sees the beginning and the end of the output of each, and the path of the file with all of it.
 */
export async function runLines(
  context: WorkContext,
  config: Config,
  ground: Ground,
  lines: readonly string[],
  what: string,
  { log, onStart, onProcess, timeoutMs, signal, env, mark: id = context.random.id() }: LineOptions,
): Promise<FailedLine | undefined> {
  const output = new CommandOutputFile(context.files, log, context.say);
  const mark = lineMark(context.layout, id);
  // From now on a process may be one that an agent wrote.
  if (lines.length > 0) noteAgents(context.layout.agentsSince);
  for (const line of lines) {
    context.say(`${what}: ${line}`);
    output.add(`$ ${line}`);
    const echo = new OutputEcho(context.say, log);
    onStart?.(line);
    const command = lineCommand(context, config, ground, line);
    let leader: number | undefined;
    const marked = { ...command, env: { ...command.env, ...env, [LINE_MARK]: mark } };
    const { outcome } = await context.processes.run(marked, {
      timeoutMs: timeoutMs ?? config.repo.commandTimeoutSecs * 1_000,
      signal: signal === undefined ? context.signal : AbortSignal.any([context.signal, signal]),
      onlyLines: true,
      onStart: (pid) => {
        leader = pid;
        onProcess?.(pid);
      },
      onExit: () => endLeftovers(context, mark, leader),
      onLine: (text) => {
        echo.add(text);
        output.add(text);
      },
    });
    endLeftovers(context, mark, leader);
    const reason = describe(outcome, timeoutMs);
    output.add(`(${reason})`);
    output.flush();
    const end = echo.end();
    if (outcome.kind === 'exited' && outcome.status === 0) continue;
    return { line, reason, late: outcome.kind === 'timeout', output: end, log };
  }
  return undefined;
}

function lineCommand(context: WorkContext, config: Config, { at, of, agent }: Ground, line: string): Command {
  const env = lineEnvironment(process.env);
  const walled = of.filter((name) => isSandboxed(context, name));
  // A folder of a worker, or one that was given a sandbox like that of a worker.
  const place = walledPlace(context, at, agent);
  if (place === undefined && walled.length > 0) throw outsideError(line, at, walled);
  if (place === undefined) return { file: 'sh', args: ['-c', line], cwd: at, env };
  const user = readAgentUser(context.layout, place.name);
  const [file, ...args] = insideSandbox(context.layout, config, place, { env: process.env, user }, ['sh', '-c', line]);
  const own = environmentInside(context.layout, place.name, undefined);
  const listed = listedEnvironment({ ...process.env, ...env }, config.sandbox.environment);
  return { file, args, cwd: user === undefined ? '/' : at, env: { ...listed, ...own } };
}

/** Undefined if a folder has no sandbox. */
function walledPlace(
  { layout, store }: WorkContext,
  at: string,
  of: string | undefined,
): Pick<Worker, 'name' | 'agent' | 'worktree_path'> | undefined {
  const name = basename(at);
  if (layout.worktree(name) !== at || !isSandboxed({ layout }, name)) return undefined;
  const agent = store.state.workers[name]?.agent ?? of;
  return agent === undefined ? undefined : { name, agent, worktree_path: at };
}

/** Not run is better than run outside: the files are those of an agent that may not act there. */
function outsideError(line: string, at: string, workers: readonly string[]): LlmcError {
  const names = workers.join(', ');
  return new LlmcError('SANDBOX_FAILED', `"${line}" was not run in ${at}: it would run files of ${names} outside the sandbox`, {
    hint: `The files of ${names} run only in a sandbox. llmc doctor says what is missing; without [repo] setup and validate, nothing runs there.`,
  });
}

function describe(outcome: ProcessOutcome, timeoutMs: number | undefined): string {
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
