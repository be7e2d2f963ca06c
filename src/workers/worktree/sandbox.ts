import type { Environment } from '../../agents/agent.ts';
import type { Config } from '../../config/schema.ts';
import { settingsOf } from '../../config/worker-settings.ts';
import { enterSandbox } from '../../git/exchange/enter-sandbox.ts';
import { leaveSandbox } from '../../git/exchange/leave.ts';
import { asUser, userOf } from '../../sandbox/agent-user.ts';
import { agentView, foldersToMake } from '../../sandbox/agent-view.ts';
import { bubblewrap } from '../../sandbox/bubblewrap.ts';
import { type SandboxKind, sandboxOf } from '../../sandbox/lives-in-sandbox.ts';
import { SHARED, sandboxPlaces } from '../../sandbox/places.ts';
import { requireBubblewrap } from '../../sandbox/probe.ts';
import type { Layout } from '../../store/layout.ts';
import type { Worker } from '../../store/state.ts';
import { programFolders } from '../../system/processes/program-folders.ts';
import type { SystemUser } from '../../system/users.ts';
import { agentOf, type WorkContext } from '../context.ts';
import { endAgent } from './end-agent.ts';
import { enterUser, leaveUser, requireAgentUser, settleUser } from './sandbox-user.ts';

/** Whether a worker's git state is kept in its sandbox now. config.toml decides what its next agent gets. */
export function isSandboxed({ layout, files }: Pick<WorkContext, 'layout' | 'files'>, worker: string): boolean {
  return files.exists(sandboxPlaces(layout, worker).git);
}

const SUMMARIES: Readonly<Record<SandboxKind, string>> = {
  none: 'its agent runs without a sandbox now',
  bubblewrap: 'its agent runs in a bubblewrap sandbox now',
  user: 'its agent runs as a user of its own now',
};

/** Puts a worker into the sandbox that config.toml names, or takes it out, before its agent starts. Its work goes with it. */
export async function settleSandbox(context: WorkContext, config: Config, worker: Worker, env: Environment): Promise<void> {
  const { name } = worker;
  const { sandbox: wanted } = settingsOf(config, worker);
  if (wanted === 'bubblewrap') await requireBubblewrap(context.processes, name);
  const user = wanted === 'user' ? await requireAgentUser(context, config, worker, env) : undefined;
  const present = sandboxOf(worker);
  const isSameUser = userOf(context.layout, name)?.uid === user?.uid;
  if (wanted !== present || !isSameUser) {
    // The agent of the other kind must not write meanwhile.
    await endAgent(context, worker);
    if (wanted !== present) await leave(context, worker, present);
    if (user !== undefined) await enterUser(context, worker, user);
    // A crash on the way in or out leaves the name of a user without its sandbox.
    else context.files.remove(sandboxPlaces(context.layout, name).user);
    if (wanted === 'bubblewrap') await enterBubblewrap(context, worker);
    context.store.commit({ worker: name, kind: 'sandbox', summary: SUMMARIES[wanted] });
  }
  if (user !== undefined) await settleUser(context, worker, user);
  else if (wanted === 'bubblewrap') prepareFolders(context, config, worker, env);
}

const placeOf = ({ layout }: Pick<WorkContext, 'layout'>, { name, worktree_path: worktree }: Worker) => ({
  ...{ root: layout.root, worker: name, worktree, store: sandboxPlaces(layout, name).git },
});

async function enterBubblewrap(context: WorkContext, worker: Worker): Promise<void> {
  await enterSandbox(context.git, context.files, { ...placeOf(context, worker), shared: SHARED });
}

async function leave(context: WorkContext, worker: Worker, present: SandboxKind): Promise<void> {
  if (present === 'bubblewrap') await leaveSandbox(context.git, context.files, placeOf(context, worker));
  if (present === 'user') await leaveUser(context, worker);
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

/** The same command line inside the sandbox of a worker's agent. `user`: whom it runs as, if that is the sandbox. */
export function insideSandbox(
  layout: Layout,
  config: Config,
  { name, agent, worktree_path: cwd }: Pick<Worker, 'name' | 'agent' | 'worktree_path'>,
  { env, user }: { readonly env: Environment; readonly user: SystemUser | undefined },
  argv: readonly string[],
): readonly [string, ...string[]] {
  const { configFolder, protocol } = agentOf(config, agent);
  if (user !== undefined) return asUser(user, argv, configFolder);
  const programs = programFolders(argv, { path: env['PATH'], cwd });
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
