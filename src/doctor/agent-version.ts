import { nearestVersion, versionIn } from '../agents/versions.ts';
import { commandLine } from '../base/shell-quote.ts';
import type { AgentProgram } from '../config/agent-program.ts';
import { type Canary, hasPassed } from '../store/findings/canaries.ts';
import { channelTried } from './canary/channel-tried.ts';
import { findMeaning } from './canary/questions.ts';
import { type DoctorContext, type Finding, ok, warning } from './check.ts';
import { toChannel } from './to-channel.ts';

/** What is known about the version of one agent CLI. */
export interface AgentVersion {
  /** As in config.toml. */
  readonly agent: string;
  readonly adapter: string;
  readonly version: string;
  readonly recorded: boolean;
  /** The recorded version whose rules llmc uses for it. */
  readonly nearest: string | null;
  readonly canary: Canary | null;
}

/** Undefined when the output of the program names no version. */
export function agentVersion(
  agent: Pick<AgentProgram, 'name' | 'adapter' | 'channel'>,
  said: string,
  recorded: readonly string[],
  canaryOf: DoctorContext['canaryOf'],
): AgentVersion | undefined {
  const version = versionIn(said);
  if (version === undefined) return undefined;
  return {
    agent: agent.name,
    adapter: agent.adapter,
    version,
    recorded: recorded.includes(version),
    nearest: nearestVersion(version, recorded) ?? null,
    canary: canaryOf({ adapter: agent.adapter, version, channel: toChannel(agent) }) ?? null,
  };
}

/** The finding about one agent; the `agents` check joins them into one line. */
export function judgeVersion({ agent, version, recorded, nearest, canary }: AgentVersion): Finding {
  const known = `${agent} ${version}: ${recorded ? 'recorded' : `not recorded; nearest ${nearest ?? 'none'}`}`;
  const again = commandLine('llmc', 'doctor', '--canary', '--agent', agent);
  if (canary === null) {
    return recorded ? ok(known) : warning(`${known}; canary: not yet`, `Try llmc's rules on it, without account or network: ${again}`);
  }
  const day = new Date(canary.at_unix * 1_000).toISOString().slice(0, 10);
  const way = channelTried(canary);
  const when = `${way === null ? '' : `, ${way} channel,`} on ${day}`;
  if (hasPassed(canary)) return ok(`${known}; canary: passed${when}`);
  const missed = canary.checks.filter(({ verdict }) => verdict === 'failed').map(({ name }) => name);
  const means = missed.flatMap((name) => findMeaning(name) ?? []);
  return warning(`${known}; canary: failed${when} (${missed.join(', ')})`, [...means, `With details: ${again}`].join(' '));
}
