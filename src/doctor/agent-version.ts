import { findAgent } from '../agents/registry.ts';
import { nearestVersion, versionIn } from '../agents/versions.ts';
import { type Canary, hasPassed } from '../store/canaries.ts';
import { meaningOf } from './canary/checks.ts';
import { type Finding, ok, warning } from './check.ts';

/** What is known about the version of one agent CLI. */
export interface AgentVersion {
  /** As in config.toml. */
  readonly agent: string;
  readonly adapter: string;
  readonly version: string;
  readonly recorded: boolean;
  /** The recorded version whose rules are used for it. */
  readonly nearest: string | null;
  readonly canary: Canary | null;
}

/** Undefined when what the program said names no version. */
export function agentVersion(
  agent: { readonly name: string; readonly adapter: string },
  said: string,
  recorded: readonly string[],
  canaryOf: (adapter: string, version: string) => Canary | undefined,
): AgentVersion | undefined {
  const version = versionIn(said);
  if (version === undefined) return undefined;
  return {
    ...{ agent: agent.name, adapter: agent.adapter, version },
    recorded: recorded.includes(version),
    nearest: nearestVersion(version, recorded) ?? null,
    canary: canaryOf(agent.adapter, version) ?? null,
  };
}

/** One agent's part of the doctor's line. */
export function judgeVersion({ agent, adapter, version, recorded, nearest, canary }: AgentVersion): Finding {
  const known = `${agent} ${version}: ${recorded ? 'recorded' : `not recorded; nearest ${nearest ?? 'none'}`}`;
  const again = `llmc doctor --canary --agent ${agent}`;
  if (canary === null) {
    return recorded ? ok(known) : warning(`${known}; canary: not yet`, `Try llmc's rules on it, without account or network: ${again}`);
  }
  const day = new Date(canary.at_unix * 1_000).toISOString().slice(0, 10);
  // What llmc rather says by its protocol is not part of it.
  const when = `${findAgent(adapter).protocol === undefined ? '' : ', typed to,'} on ${day}`;
  if (hasPassed(canary)) return ok(`${known}; canary: passed${when}`);
  const missed = canary.checks.filter(({ verdict }) => verdict === 'failed').map(({ name }) => name);
  const means = missed.flatMap((name) => meaningOf(name) ?? []);
  return warning(`${known}; canary: failed${when} (${missed.join(', ')})`, [...means, `With details: ${again}`].join(' '));
}
