import type { Agent, Environment } from '../agents/agent.ts';
import type { Launch, LaunchRequest } from '../agents/launch.ts';
import { LlmcError } from '../base/error.ts';
import { agentProgram } from '../config/agent-program.ts';
import type { Config } from '../config/schema.ts';
import { workerSettings } from '../config/worker-settings.ts';
import type { Layout } from '../store/layout.ts';
import type { Worker } from '../store/state.ts';
import { agentOf } from '../workers/context.ts';

/** Names of the calling shell that would mislead an agent in a session of its own. */
const NOT_PASSED_ON = ['TMUX', 'TMUX_PANE', 'LLMC_WORKER', 'LLMC_FAULT', 'TERM', 'COLUMNS', 'LINES', 'PWD', 'OLDPWD', 'SHLVL', '_'];

export interface LaunchPlan extends Launch {
  /** The whole environment: the user's, the configuration's, the adapter's. */
  readonly environment: Environment;
}

/** What will be started for a worker, in which environment. Refuses what the CLI is known to refuse, in words that help. */
export function planLaunch(
  layout: Layout,
  config: Config,
  worker: Worker,
  incarnation: number,
  conversation: LaunchRequest['conversation'],
): LaunchPlan {
  const program = agentProgram(config, worker.agent);
  const agent: Agent = agentOf(config, worker.agent);
  const { model, rolePrompt, skipPermissions, allowedTools } = workerSettings(config, worker.name);
  const request: LaunchRequest = {
    ...{ worker: worker.name, root: layout.root, worktree: worker.worktree_path, incarnation, conversation },
    ...{ spool: layout.spool(worker.name), scratch: layout.scratch(worker.name) },
    ...{ command: program.command ?? agent.defaultCommand, args: program.args },
    ...{ model, rolePrompt, skipPermissions, allowedTools },
  };
  const given = { ...inherited(), ...program.env };
  const problem = agent.launchProblem?.(request, { isRoot: process.getuid?.() === 0, env: given });
  if (problem !== undefined)
    throw new LlmcError('AGENT_SPAWN_FAILED', problem, { hint: `Change ${layout.config}; it is tried again by itself.` });
  const launch = agent.launch(request);
  return { ...launch, environment: { ...given, ...launch.env, LLMC_WORKER: worker.name, LLMC_ROOT: layout.root } };
}

function inherited(): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...process.env };
  for (const name of NOT_PASSED_ON) delete env[name];
  return env;
}
