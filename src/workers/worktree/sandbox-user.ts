import type { Environment } from '../../agents/agent.ts';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { chooseSettings, sandboxUsers } from '../../config/worker-settings.ts';
import { storeOrigin } from '../../git/private/settings.ts';
import { read } from '../../git/run.ts';
import { identitySettings } from '../../git/source/identity.ts';
import { handOver, reconnect } from '../../git/worktree/worktree.ts';
import { openWay } from '../../sandbox/agent-user.ts';
import { conversations } from '../../sandbox/agent-view.ts';
import { sandboxPlaces } from '../../sandbox/places.ts';
import { requireUser } from '../../sandbox/probe-user.ts';
import type { Worker } from '../../store/state.ts';
import { readOwnerId } from '../../system/files/share.ts';
import type { SystemUser } from '../../system/users.ts';
import { loadAgent, type WorkContext } from '../context.ts';

type Disk = Pick<WorkContext, 'git' | 'files' | 'layout'>;
type Place = Pick<Worker, 'name' | 'worktree_path'>;

/** `git fetch` of the agent reads the clone, which belongs to llmc: git 2.39.4 and later refuse that without this setting. */
const FETCH = { key: 'remote.origin.uploadpack', value: 'git -c safe.directory=* upload-pack' };

/** Throws if the agent cannot run as its user. */
export function requireAgentUser(context: WorkContext, config: Config, worker: Worker, env: Environment): Promise<SystemUser> {
  const { sandboxUser: name } = chooseSettings(config, worker);
  const program = agentProgram(config, worker.agent).command ?? loadAgent(config, worker.agent).defaultCommand;
  return requireUser(context.processes, worker.name, {
    name,
    users: sandboxUsers(config),
    root: context.layout.root,
    program,
    path: env['PATH'],
  });
}

/** Lets all git in the worktree run as this user. The settings first: git of llmc then runs as the user, who cannot change them yet. */
export async function enterUser(context: Disk, worker: Place, user: SystemUser): Promise<void> {
  const { git, files, layout } = context;
  await git.guard?.configure(worker.name, [...storeOrigin(layout.root), FETCH, ...(await identitySettings(git, layout.root))]);
  files.writePrivate(sandboxPlaces(layout, worker.name).user, JSON.stringify(user));
}

/** Before each start: the worktree belongs to the user, and the user can reach it. */
export async function settleUser(context: Disk, worker: Place, user: SystemUser): Promise<void> {
  const { git, files, layout } = context;
  const { name, worktree_path: worktree } = worker;
  const own = [layout.spool(name), conversations(layout, name)];
  for (const folder of own) files.makeFolder(folder);
  await reconnect(git, layout.root, worktree);
  const repository = sandboxPlaces(layout, name).git;
  const all = [worktree, repository, `${repository}/config`, ...own];
  if (all.some((path) => readOwnerId(path) !== user.uid)) await handOver(git, worktree);
  openWay(layout, name, user);
  await requireObjects(context, worker, user);
}

/** The objects of the clone have the modes that the umask of llmc gave them. */
async function requireObjects({ git, layout }: Disk, { name, worktree_path: worktree }: Place, user: SystemUser): Promise<void> {
  const { status, stderr } = await git.run(read(worktree, 'cat-file', '-e', 'HEAD^{tree}'));
  if (status === 0) return;
  const objects = `${layout.root}/.git/objects`;
  throw new LlmcError('SANDBOX_FAILED', `${name} was not started: ${user.name} cannot read the repository`, {
    hint: `Let others read it, and start llmc with umask 022: ${commandLine('chmod', '-R', 'o+rX', objects)}`,
    details: stderr.trim(),
  });
}

/** Takes the worktree back. Safe to repeat: the file with the user goes last. */
export async function leaveUser(context: WorkContext, { name, worktree_path: worktree }: Worker): Promise<void> {
  const { git, files, layout, processes } = context;
  const { git: own, user } = sandboxPlaces(layout, name);
  const to = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const args = ['-hR', to, '--', worktree, own, layout.spool(name), layout.scratch(name)];
  const { outcome, stderr } = await processes.run({ file: 'chown', args });
  if (outcome.kind !== 'exited' || outcome.status !== 0)
    throw new LlmcError('SANDBOX_FAILED', `${worktree} cannot be taken back: ${stderr.trim()}`);
  files.remove(user);
  await reconnect(git, layout.root, worktree);
}
