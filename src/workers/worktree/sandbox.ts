import type { Environment } from '../../agents/agent.ts';
import type { Config } from '../../config/schema.ts';
import { workerSettings } from '../../config/worker-settings.ts';
import { enterSandbox } from '../../git/exchange/enter-sandbox.ts';
import { leaveSandbox } from '../../git/exchange/leave.ts';
import { agentView, foldersToMake } from '../../sandbox/agent-view.ts';
import { bubblewrap } from '../../sandbox/bubblewrap.ts';
import { SHARED, sandboxPlaces } from '../../sandbox/places.ts';
import { requireBubblewrap } from '../../sandbox/probe.ts';
import type { Layout } from '../../store/layout.ts';
import type { Worker } from '../../store/state.ts';
import { programFolders } from '../../system/processes/program-folders.ts';
import { agentOf, type WorkContext } from '../context.ts';
import { endAgent } from './end-agent.ts';

/** Whether a worker's git state is kept in its sandbox now. config.toml decides what its next agent gets. */
export function isSandboxed({ layout, files }: Pick<WorkContext, 'layout' | 'files'>, worker: string): boolean {
  return files.exists(sandboxPlaces(layout, worker).git);
}

/** Puts a worker into the sandbox that config.toml names, or takes it out, before its agent starts. Its work goes with it. */
export async function settleSandbox(context: WorkContext, config: Config, worker: Worker, env: Environment): Promise<void> {
  const { layout, files, git, store } = context;
  const { name, worktree_path: worktree } = worker;
  const wanted = workerSettings(config, name).sandbox !== 'none';
  if (wanted) await requireBubblewrap(context.processes, name);
  const place = { root: layout.root, worker: name, worktree, store: sandboxPlaces(layout, name).git, shared: SHARED };
  if (wanted !== isSandboxed(context, name)) {
    // The agent of the other kind must not write meanwhile.
    await endAgent(context, worker);
    if (wanted) await enterSandbox(git, files, place);
    else await leaveSandbox(git, files, place);
    store.commit({
      worker: name,
      kind: 'sandbox',
      summary: wanted ? 'its agent runs in a bubblewrap sandbox now' : 'its agent runs without a sandbox now',
    });
  }
  if (wanted) prepareFolders(context, config, worker, env);
}

/** llmc writes into the agent's own folder only before its first agent: later a link could wait there. */
function prepareFolders({ layout, files }: WorkContext, config: Config, { name, agent }: Worker, env: Environment): void {
  const own = sandboxPlaces(layout, name).agent;
  const isNew = !files.exists(own);
  for (const folder of foldersToMake(layout, name)) files.makeFolder(folder);
  if (!isNew) return;
  for (const [target, from] of Object.entries(agentOf(config, agent).configFolder?.copied(env) ?? {})) {
    const text = files.readText(from);
    if (text !== undefined) files.writePrivate(`${own}/${target}`, text);
  }
}

/** The same command line inside the sandbox of a worker's agent. */
export function insideSandbox(
  layout: Layout,
  config: Config,
  { name, agent, worktree_path: cwd }: Pick<Worker, 'name' | 'agent' | 'worktree_path'>,
  env: Environment,
  argv: readonly string[],
): readonly [string, ...string[]] {
  const programs = programFolders(argv, { path: env['PATH'], cwd });
  const { configFolder, protocol } = agentOf(config, agent);
  const view = agentView({
    layout,
    worker: name,
    options: config.sandbox,
    env,
    configFolder,
    socketFolder: protocol?.socketFolder?.(process.getuid?.() ?? 0),
    programs,
  });
  const [file = '', ...args] = [...bubblewrap(view), ...argv];
  return [file, ...args];
}
