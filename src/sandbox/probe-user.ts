import { dirname } from 'node:path';
import { LlmcError } from '../base/error.ts';
import type { Processes } from '../base/ports.ts';
import { commandLine } from '../base/shell-quote.ts';
import { readTextIfThere } from '../system/files/files.ts';
import { findUser, type SystemUser } from '../system/users.ts';
import { asUser } from './agent-user.ts';

export type UserProbe =
  | { readonly kind: 'works' }
  /** Only root may run programs as another user without a password, and give files to it. */
  | { readonly kind: 'not-root' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'powerful' }
  /** A hard link would make a file of root look like one of the worktree, and llmc would give it away. */
  | { readonly kind: 'hard-links' }
  /** Only one group can pass through the folders of a root. */
  | { readonly kind: 'other-group'; readonly gid: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'no-way'; readonly folder: string }
  | { readonly kind: 'no-program'; readonly program: string };

export type UserProblem = Exclude<UserProbe, { kind: 'works' }>;

interface Wanted {
  readonly name: string;
  readonly root: string;
  /** All users of the root. */
  readonly users?: readonly string[];
  /** The program that the agent is started with, and the PATH to find it on. */
  readonly program?: string | undefined;
  readonly path?: string | undefined;
}

/** What the probe asks besides: the user of llmc, the users there are, and whether the kernel protects hard links. */
interface Machine {
  uid(): number | undefined;
  find(name: string): SystemUser | undefined;
  protectsLinks(): boolean;
}

const THIS_MACHINE: Machine = {
  uid: () => process.getuid?.(),
  find: findUser,
  protectsLinks: () => readTextIfThere('/proc/sys/fs/protected_hardlinks')?.trim() !== '0',
};

// A script of Node is only read.
const NO_WAY = 3;
const NO_PROGRAM = 4;
const TRY = `test -x "$1" || exit ${NO_WAY}; test -z "$2" || command -v -- "$2" >/dev/null || test -r "$2" || exit ${NO_PROGRAM}`;

/** Runs a command as the user, with the options that agents get, and lets it try the way to the root and the agent's program. */
export async function probeUser(processes: Processes, wanted: Wanted, machine: Machine = THIS_MACHINE): Promise<UserProbe> {
  const { name, root, program = '', path, users = [] } = wanted;
  if (machine.uid() !== 0) return { kind: 'not-root' };
  const user = machine.find(name);
  if (user === undefined) return { kind: 'missing' };
  if (user.uid === 0 || user.gid === 0) return { kind: 'powerful' };
  const [first] = users.flatMap((each) => machine.find(each) ?? []);
  if (first !== undefined && first.gid !== user.gid) return { kind: 'other-group', gid: first.gid };
  if (!machine.protectsLinks()) return { kind: 'hard-links' };
  const folder = dirname(root);
  const [file, ...args] = asUser(user, ['sh', '-c', TRY, 'llmc-try', folder, program]);
  const env = path === undefined ? {} : { PATH: path };
  const { outcome, stderr } = await processes.run({ file, args, cwd: '/', env }, { timeoutMs: 10_000 });
  if (outcome.kind === 'not-started') return { kind: 'refused', reason: outcome.reason };
  const status = outcome.kind === 'exited' ? outcome.status : undefined;
  if (status === 0) return { kind: 'works' };
  if (status === NO_WAY) return { kind: 'no-way', folder };
  if (status === NO_PROGRAM) return { kind: 'no-program', program };
  return { kind: 'refused', reason: stderr.trim().split('\n')[0] || outcome.kind };
}

/** What is wrong, and what to type. */
export function userProblem(name: string, probe: UserProblem): { readonly problem: string; readonly hint: string } {
  switch (probe.kind) {
    case 'not-root':
      return {
        problem: 'kind = "user" needs llmc to run as root, because only root can give files to another user',
        hint: 'Set kind = "bubblewrap" under [sandbox], or run llmc as root, for example in a container.',
      };
    case 'missing':
      return { problem: `there is no user ${name}`, hint: commandLine('useradd', '--create-home', name) };
    case 'powerful':
      return {
        problem: `${name} is root, or its group is`,
        hint: `Name another user: ${commandLine('useradd', '--create-home', 'llmc-agent')}`,
      };
    case 'other-group':
      return {
        problem: `${name} has another group than the other users of this root`,
        hint: commandLine('usermod', '--gid', String(probe.gid), name),
      };
    case 'hard-links':
      return { problem: 'this machine lets users link to files of others', hint: commandLine('sysctl', '-w', 'fs.protected_hardlinks=1') };
    case 'refused':
      return {
        problem: `nothing runs as ${name}: ${probe.reason}`,
        hint: 'setpriv is part of util-linux (Debian: apt install util-linux).',
      };
    case 'no-way':
      return {
        problem: `${name} cannot pass through ${probe.folder}`,
        hint: `Let it pass, without listing anything: ${commandLine('chmod', 'o+x', probe.folder)} (and the folders above), or make the root elsewhere: llmc init --target /srv/llmc`,
      };
    case 'no-program':
      return {
        problem: `${name} cannot run ${probe.program}`,
        hint: `Install it where every user can run it. Try: ${commandLine('runuser', '-u', name, '--', probe.program, '--version')}`,
      };
  }
}

/** The user that a worker's agent runs as. Throws if there is none: the agent must not start as the user of llmc instead. */
export function requireKnownUser(name: string, worker: string, machine: Machine = THIS_MACHINE): SystemUser {
  const user = machine.find(name);
  if (machine.uid() !== 0) throw notStarted(worker, name, { kind: 'not-root' });
  if (user !== undefined && user.uid !== 0 && user.gid !== 0) return user;
  throw notStarted(worker, name, { kind: user === undefined ? 'missing' : 'powerful' });
}

/** Throws if nothing can run as that user. */
export async function requireUser(processes: Processes, worker: string, wanted: Wanted): Promise<SystemUser> {
  const user = requireKnownUser(wanted.name, worker);
  const probe = await probeUser(processes, wanted);
  if (probe.kind !== 'works') throw notStarted(worker, wanted.name, probe);
  return user;
}

function notStarted(worker: string, name: string, probe: UserProblem): LlmcError {
  const { problem, hint } = userProblem(name, probe);
  return new LlmcError('SANDBOX_FAILED', `${worker} was not started: ${problem}`, { hint });
}
