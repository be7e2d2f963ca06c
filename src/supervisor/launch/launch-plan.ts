import type { Agent, Environment } from '../../agents/agent.ts';
import type { Launch, LaunchRequest } from '../../agents/launch.ts';
import { LlmcError } from '../../base/error.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import { ownRepository } from '../../git/private/place.ts';
import { sandboxEnvironment } from '../../sandbox/agent-view.ts';
import { listedEnvironment } from '../../sandbox/environment-inside.ts';
import { requireKnownUser } from '../../sandbox/probe-user.ts';
import type { Layout } from '../../store/layout.ts';
import type { Worker } from '../../store/state.ts';
import { loadAgent } from '../../workers/context.ts';
import { missingProgram } from '../../workers/missing-program.ts';
import { insideSandbox } from '../../workers/worktree/sandbox.ts';

/** Variables of the calling shell that would mislead an agent in a session of its own. */
const NOT_PASSED_ON = [
  'TMUX',
  'TMUX_PANE',
  'TMUX_TMPDIR',
  'LLMC_DEATHS',
  'LLMC_WORKER',
  'LLMC_SEAL',
  'LLMC_FAULT',
  'TERM',
  'COLUMNS',
  'LINES',
  'PWD',
  'OLDPWD',
  'SHLVL',
  '_',
];

export interface LaunchPlan extends Launch {
  /** The whole environment: the user's, the configuration's, the adapter's. */
  readonly environment: Environment;
}

/** Everything that an adapter may need about a worker it starts. */
export function launchRequest(
  layout: Layout,
  config: Config,
  worker: Worker,
  incarnation: number,
  conversation: LaunchRequest['conversation'],
  seal?: string,
): LaunchRequest {
  const program = agentProgram(config, worker.agent);
  const { model, rolePrompt, skipPermissions, allowedTools } = chooseSettings(config, worker, worker.agent);
  return {
    worker: worker.name,
    root: layout.root,
    worktree: worker.worktree_path,
    incarnation,
    conversation,
    spool: layout.spool(worker.name),
    scratch: layout.scratch(worker.name),
    repository: ownRepository(layout.root, worker.name),
    command: program.command ?? loadAgent(config, worker.agent).defaultCommand,
    args: program.args,
    model,
    rolePrompt,
    skipPermissions,
    allowedTools,
    ...(seal !== undefined && { seal }),
  };
}

/** The environment of every process of a worker: the user's, the configuration's, the caller's, and the worker's name. */
export function workerEnvironment(layout: Layout, config: Config, worker: Worker, own: Readonly<Record<string, string>>): Environment {
  return {
    ...inherited(allowedVariables(config, worker)),
    ...agentProgram(config, worker.agent).env,
    ...own,
    LLMC_WORKER: worker.name,
    LLMC_ROOT: layout.root,
  };
}

/** Plans what to start for a worker, and in which environment. Refuses a launch that the CLI is known to refuse, with a hint. */
export function planLaunch(
  layout: Layout,
  config: Config,
  worker: Worker,
  incarnation: number,
  conversation: LaunchRequest['conversation'],
  /** `socket`: where the agent's server listens, if the worker uses the protocol channel. */
  { socket, seal }: { readonly socket?: string | undefined; readonly seal?: string } = {},
): LaunchPlan {
  requireProgram(layout, config, worker);
  const agent: Agent = loadAgent(config, worker.agent);
  const request = launchRequest(layout, config, worker, incarnation, conversation, seal);
  const { sandbox, sandboxUser } = chooseSettings(config, worker);
  const user = sandbox === 'user' ? requireKnownUser(sandboxUser, worker.name) : undefined;
  const own = sandbox === 'bubblewrap' ? sandboxEnvironment(layout, worker.name, agent.configFolder) : {};
  const isRoot = user === undefined && process.getuid?.() === 0;
  const problem = agent.launchProblem?.(request, { isRoot, env: workerEnvironment(layout, config, worker, own) });
  if (problem !== undefined)
    throw new LlmcError('AGENT_SPAWN_FAILED', problem, { hint: `Change ${layout.config}; llmc then tries again.` });
  const launch = socket === undefined || agent.protocol === undefined ? agent.launch(request) : agent.protocol.server(request, socket);
  const env = workerEnvironment(layout, config, worker, {});
  return {
    ...launch,
    argv: sandbox === 'none' ? launch.argv : insideSandbox(layout, config, worker, { env, user }, launch.argv),
    environment: workerEnvironment(layout, config, worker, { ...launch.env, ...own }),
  };
}

/** Checked here because a shell would only exit with 127, like an agent that crashes at its start. */
export function requireProgram(layout: Layout, config: Config, worker: Worker): void {
  const request = launchRequest(layout, config, worker, 0, { kind: 'fresh', id: '' });
  const [file] = loadAgent(config, worker.agent).launch(request).argv;
  const missing = missingProgram(file, { path: workerEnvironment(layout, config, worker, {}).PATH, cwd: worker.worktree_path });
  if (missing === undefined) return;
  throw new LlmcError('AGENT_SPAWN_FAILED', `its program cannot be started: ${missing}`, {
    hint: `Install it, or set command under [agents.${worker.agent}] in ${layout.config}; llmc then tries again. See: llmc doctor`,
  });
}

/** The variables that a sandboxed agent may have; undefined if it gets all. */
export function allowedVariables(config: Config, worker: Worker): readonly string[] | undefined {
  return chooseSettings(config, worker).sandbox === 'none' ? undefined : config.sandbox.environment;
}

function inherited(allowed: readonly string[] | undefined): Environment {
  const env: Record<string, string | undefined> = { ...process.env };
  for (const name of NOT_PASSED_ON) delete env[name];
  return listedEnvironment(env, allowed);
}
