import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { type Kin, readKin, readProc } from './lineage.ts';

/** What the kernel noted about the processes that started the agents of a root, since the machine started. */
export interface AgentsSince {
  /** In clock ticks since the machine started. No agent, and nothing that an agent started, is older. */
  readonly ticks: number;
  /** The cgroups and login sessions that every process of an agent inherits, and that it cannot leave by itself. */
  readonly groups: readonly string[];
}

/**
 * Why a process cannot come from an agent. `older`: a process above it began before the first agent. `system`: a process of the
 * administrator started it (sshd, login, a display manager). `outside`: another container or the host did. `apart`: the kernel keeps
 * it in another cgroup or login session than the agents. `client`: a multiplexer that a person's terminal is attached to.
 */
export type OriginKind = 'older' | 'system' | 'outside' | 'apart' | 'client';

export interface Origin {
  /** The process and its parents, as far as this user may see them; not the leaders of sessions, and not init. */
  readonly chain: readonly Kin[];
  /** Undefined if it cannot be told. */
  readonly kind: OriginKind | undefined;
}

const MOST = 500;
/** Processes that adopt orphans: a child of theirs may have lost its real parent. */
const REAPERS = /^\(?(systemd|init|tini|dumb-init|docker-init|catatonit|conmon|containerd-shim|s6-svscan|runsvdir|launchd)\)?/;
/** How deep multiplexers may be attached to each other. */
const DEEPEST = 4;

/** Follows the parents of a process until one shows that no agent started it. Works only on Linux. */
export function traceOrigin(pid: number, agents: AgentsSince, depth = 0): Origin {
  const chain: Kin[] = [];
  let kind: OriginKind | undefined;
  for (let one = readKin(pid); one !== undefined && chain.length < MOST; ) {
    chain.push(one);
    if (one.started < agents.ticks) kind ??= 'older';
    const parent = traceParent(one);
    if (parent === 'outside' || parent === 'system') return { chain, kind: kind ?? parent };
    if (parent === 'reaper') return { chain, kind: kind ?? withoutParent(one, agents, depth) };
    one = parent;
  }
  return { chain, kind };
}

function traceParent({ pid, parent, session }: Kin): Kin | 'outside' | 'system' | 'reaper' {
  if (pid === 1 || parent === 0) return 'outside';
  // A shell that is the first process of a container is also the parent of orphans, but not the leader of their sessions.
  if (parent === 1) return session === 1 ? 'outside' : 'reaper';
  const found = readKin(parent);
  // `hidepid` hides the processes of other users, and none of this one.
  if (found === undefined) return readKin(pid)?.parent === parent ? 'system' : 'reaper';
  if (REAPERS.test(found.name)) return 'reaper';
  return isOfSystem(parent) ? 'system' : found;
}

/** Real, not effective: an agent can start a program that has the rights of another user. */
function isOfSystem(pid: number): boolean {
  const real = Number(/^Uid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? Number.NaN);
  return real === 0 && process.getuid?.() !== 0;
}

function withoutParent(top: Kin, agents: AgentsSince, depth: number): OriginKind | undefined {
  if (agents.groups.length > 0 && !readGroups(top.pid).some((group) => agents.groups.includes(group))) return 'apart';
  return depth < DEEPEST && attachedTo(top).some((client) => isPersonsTerminal(client, agents, depth + 1)) ? 'client' : undefined;
}

/** The cgroup and, where PAM sets one, the login session of a process, as words that can be compared. */
export function readGroups(pid: number): readonly string[] {
  const session = readProc(pid, 'sessionid').trim();
  const cgroup = readProc(pid, 'cgroup').trim();
  // 4294967295 means that there is none.
  return [...(cgroup === '' ? [] : [cgroup]), ...(/^\d+$/.test(session) && session !== '4294967295' ? [`session ${session}`] : [])];
}

/** Whether a process has a controlling terminal that a person's program made, and not an agent's. */
export function isPersonsTerminal(pid: number, agents: AgentsSince, depth = 0): boolean {
  const { chain, kind } = traceOrigin(pid, agents, depth);
  const [self] = chain;
  if (self === undefined || self.terminal === 0 || kind === undefined) return false;
  // A job of cron can make a terminal with `script`, and an agent can write a crontab.
  if (chain.some(({ name }) => /^(cron|crond|CRON|CROND|atd|anacron|fcron)$/.test(name))) return false;
  const index = pseudoTerminal(self.terminal);
  // A console, or a terminal that the system made for a login: its other end belongs to a process that this user cannot be.
  if (index === undefined || kind === 'system' || kind === 'outside') return true;
  return chain.some((each) => each.pid !== pid && holds(each.pid, index) !== false);
}

/** The N of /dev/pts/N. See the encoding of `dev_t` in the kernel; pseudo-terminals have the major number 136. */
function pseudoTerminal(device: number): number | undefined {
  return ((device >> 8) & 0xfff) === 136 ? (device & 0xff) | ((device >>> 12) & 0xfff00) : undefined;
}

/** Whether a process has the other end of a pseudo-terminal; `unknown` for one whose files the kernel hides, such as sshd. */
function holds(pid: number, index: number): boolean | 'unknown' {
  const files = openFiles(pid);
  if (files === undefined) return 'unknown';
  return files.some(({ number, target }) => /\/ptmx$/.test(target) && readTerminalIndex(pid, number) === index);
}

function readTerminalIndex(pid: number, number: string): number | undefined {
  try {
    const found = /^tty-index:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${number}`, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

/** The clients of a multiplexer such as tmux: processes of the same program, on terminals that it has open. */
function attachedTo(server: Kin): readonly number[] {
  const devices = new Set((openFiles(server.pid) ?? []).flatMap(({ target }) => parseDevice(target)));
  const program = readProgram(server.pid);
  if (devices.size === 0 || program === undefined) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== server.pid)
    .flatMap((name) => readKin(Number(name)) ?? [])
    .filter(({ pid, terminal }) => devices.has(terminal) && readProgram(pid) === program)
    .map(({ pid }) => pid);
}

function parseDevice(path: string): readonly number[] {
  const index = /^\/dev\/pts\/(\d+)$/.exec(path)?.[1];
  if (index === undefined) return [];
  const minor = Number(index);
  return [((minor & 0xfff00) << 12) | (136 << 8) | (minor & 0xff)];
}

/** The file that a process executes, by its device and number; undefined if the kernel hides it. */
export function readProgram(pid: number): string | undefined {
  try {
    const { dev, ino } = statSync(`/proc/${pid}/exe`, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function openFiles(pid: number): readonly { readonly number: string; readonly target: string }[] | undefined {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).map((number) => ({ number, target: linkAt(`${folder}/${number}`) }));
  } catch {
    return undefined;
  }
}

/** Where a link of /proc leads; '' if it is gone or hidden. */
export function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
