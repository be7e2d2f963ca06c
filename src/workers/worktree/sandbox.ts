import { dirname } from 'node:path';
import type { Environment } from '../../agents/agent.ts';
import { LlmcError } from '../../base/error.ts';
import type { Config } from '../../config/schema.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { storeOrigin } from '../../git/private/settings.ts';
import { asUser, readAgentUser } from '../../sandbox/agent-user.ts';
import { agentView, foldersToMake } from '../../sandbox/agent-view.ts';
import { bubblewrap } from '../../sandbox/bubblewrap.ts';
import { readSandboxKind, type SandboxKind } from '../../sandbox/lives-in-sandbox.ts';
import { sandboxPlaces } from '../../sandbox/places.ts';
import { requireBubblewrap } from '../../sandbox/probe.ts';
import type { Layout } from '../../store/layout.ts';
import type { Worker } from '../../store/state.ts';
import { ledInside, ledOutside, networkProgram } from '../../system/agent-network/program.ts';
import { programFolders } from '../../system/processes/program-folders.ts';
import type { SystemUser } from '../../system/users.ts';
import { loadAgent, type WorkContext } from '../context.ts';
import { endAgent } from './end-agent.ts';
import { enterUser, leaveUser, requireAgentUser, settleUser } from './sandbox-user.ts';

/** Whether a worker has a sandbox now. config.toml decides what its next agent gets. */
export function isSandboxed({ layout }: Pick<WorkContext, 'layout'>, worker: string): boolean {
  return readSandboxKind({ name: worker, worktree_path: layout.worktree(worker) }) !== 'none';
}

const SUMMARIES: Readonly<Record<SandboxKind, string>> = {
  none: 'its agent runs without a sandbox now',
  bubblewrap: 'its agent runs in a bubblewrap sandbox now',
  user: 'its agent runs as a user of its own now',
};

/** Puts a worker into the sandbox that config.toml names, or takes it out, before its agent starts. Its work goes with it. */
export async function settleSandbox(context: WorkContext, config: Config, worker: Worker, env: Environment): Promise<void> {
  const { name } = worker;
  const { sandbox: wanted } = chooseSettings(config, worker);
  if (wanted === 'none') requireNoWallNeeded(config, name, 'was not started');
  if (wanted === 'bubblewrap') await requireBubblewrap(context.processes, name);
  const user = wanted === 'user' ? await requireAgentUser(context, config, worker, env) : undefined;
  const present = readSandboxKind(worker);
  const isSameUser = readAgentUser(context.layout, name)?.uid === user?.uid;
  if (wanted !== present || !isSameUser) {
    // The agent of the other kind must not write meanwhile.
    await endAgent(context, worker);
    if (wanted !== present && present !== 'none') await leave(context, worker, present);
    if (user !== undefined) await enterUser(context, worker, user);
    // A crash on the way in or out leaves the name of a user without its sandbox.
    else context.files.remove(sandboxPlaces(context.layout, name).user);
    if (wanted === 'bubblewrap') await enterBubblewrap(context, worker);
    context.store.commit({ worker: name, kind: 'sandbox', summary: SUMMARIES[wanted] });
  }
  if (user !== undefined) await settleUser(context, worker, user);
  else if (wanted === 'bubblewrap') prepareFolders(context, config, worker, env);
}

/** Gives a worktree of llmc's own a sandbox like that of the worker whose files it has, if the worker has one. */
export async function enterLike(context: WorkContext, config: Config, owner: Worker, scratch: string, env: Environment): Promise<void> {
  const kind = readSandboxKind(owner);
  const own = { ...owner, name: scratch, worktree_path: context.layout.worktree(scratch) };
  const user = readAgentUser(context.layout, owner.name);
  if (kind === 'bubblewrap') {
    await requireBubblewrap(context.processes, owner.name);
    await enterBubblewrap(context, own);
    prepareFolders(context, config, own, env);
  } else if (kind === 'user' && user !== undefined) {
    await enterUser(context, own, user);
    await settleUser(context, own, user);
  }
}

/** Removes what `enterLike` made. */
export async function leaveScratch({ layout, files }: WorkContext, scratch: string): Promise<void> {
  for (const path of [layout.sandbox(scratch), layout.spool(scratch), layout.scratch(scratch)]) files.remove(path);
}

/** Throws if config.toml demands a wall: `what` would happen without one. */
export function requireNoWallNeeded(config: Config, worker: string, what: string): void {
  if (!config.sandbox.required) return;
  throw new LlmcError(
    'SANDBOX_FAILED',
    `${worker} ${what}: config.toml demands a sandbox for every agent (required in [sandbox]), and it has none`,
    {
      hint: `Remove sandbox = "none" under [workers.${worker}] in config.toml, or set kind in [sandbox]; llmc then tries again. See: llmc doctor`,
    },
  );
}

/** The settings first: once the file is there, all git of llmc in the worktree runs inside. */
async function enterBubblewrap({ git, files, layout }: WorkContext, { name }: Worker): Promise<void> {
  await git.guard?.configure(name, storeOrigin(layout.root));
  files.writePrivate(sandboxPlaces(layout, name).bubblewrap, '');
}

/** Takes the work in while git still runs inside, then ends the sandbox. Safe to repeat. */
async function leave(context: WorkContext, worker: Worker, present: SandboxKind): Promise<void> {
  const { git, files, layout } = context;
  await exchange(git, layout.root, worker.worktree_path);
  if (present === 'bubblewrap') files.remove(sandboxPlaces(layout, worker.name).bubblewrap);
  if (present === 'user') await leaveUser(context, worker);
  await git.guard?.configure(worker.name);
}

/** llmc writes into the agent's own folder only before its first agent: later a link could wait there. */
function prepareFolders({ layout, files }: WorkContext, config: Config, { name, agent }: Worker, env: Environment): void {
  const own = sandboxPlaces(layout, name).agent;
  const isNew = !files.exists(own);
  for (const folder of foldersToMake(layout, name)) files.makeFolder(folder);
  if (!isNew) return;
  for (const [target, from] of Object.entries(loadAgent(config, agent).configFolder?.copied(env) ?? {})) {
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
  const { configFolder, protocol, hosts: itsHosts = [] } = loadAgent(config, agent);
  if (user !== undefined) return asUser(user, argv, configFolder);
  const hosts = [...itsHosts, ...config.sandbox.hosts];
  const isLed = config.sandbox.network === 'hosts';
  const programs = [
    ...programFolders(argv, { path: env['PATH'], cwd }),
    ...(isLed ? programFolders([process.execPath, networkProgram()], { path: undefined, cwd }) : []),
  ];
  const view = agentView({
    layout,
    worker: name,
    options: config.sandbox,
    env,
    configFolder,
    socketFolder: protocol?.socketFolder?.(process.getuid?.() ?? 0),
    programs,
  });
  // What is outside of the sandbox lets requests out, and what is inside leads them there: the sandbox itself has no network.
  const [file = '', ...args] = [
    ...(isLed ? ledOutside(dirname(layout.agentSocket(name)), hosts) : []),
    ...bubblewrap(view),
    ...(isLed ? ledInside(hosts) : []),
    ...argv,
  ];
  return [file, ...args];
}
