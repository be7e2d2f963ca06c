import { nearestVersion, versionIn } from '../agents/versions.ts';
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
}

/** Undefined when what the program said names no version. */
export function agentVersion(
  agent: { readonly name: string; readonly adapter: string },
  said: string,
  recorded: readonly string[],
): AgentVersion | undefined {
  const version = versionIn(said);
  if (version === undefined) return undefined;
  return {
    ...{ agent: agent.name, adapter: agent.adapter, version },
    recorded: recorded.includes(version),
    nearest: nearestVersion(version, recorded) ?? null,
  };
}

/** One agent's part of the doctor's line. */
export function judgeVersion({ agent, version, recorded, nearest }: AgentVersion): Finding {
  if (recorded) return ok(`${agent} ${version}: recorded`);
  return warning(
    `${agent} ${version}: not recorded; nearest ${nearest ?? 'none'}`,
    'Its screens may read differently; llmc then relies on what the agent reports itself. See docs/agents/versions.md.',
  );
}
