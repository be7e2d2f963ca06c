import { findAgent } from '../../agents/registry.ts';
import { versionIn } from '../../agents/versions.ts';
import type { Processes } from '../../base/ports.ts';
import { agentProgram } from '../../config/agent-program.ts';
import type { Config } from '../../config/schema.ts';
import { readVersion } from '../needs.ts';
import { toChannel } from '../to-channel.ts';
import type { Trial } from './run.ts';

/** An agent of the configuration with its trial, or the reason why it cannot have one. */
export type TrialCandidate = { readonly name: string; readonly adapter: string } & (
  | { readonly trial: Trial; readonly recorded: boolean }
  | { readonly problem: string }
);

/** One candidate per program, because several agents may run the same program. */
export async function findCandidates(
  processes: Processes,
  config: Config,
  names: readonly string[],
  llmc: string,
): Promise<readonly TrialCandidate[]> {
  const candidates = await Promise.all(names.map((name) => candidate(processes, config, name, llmc)));
  const programOf = (each: TrialCandidate) => ('trial' in each ? `${each.adapter} ${each.trial.channel} ${each.trial.command}` : each.name);
  return candidates.filter((each, index) => candidates.findIndex((other) => programOf(other) === programOf(each)) === index);
}

async function candidate(processes: Processes, config: Config, name: string, llmc: string): Promise<TrialCandidate> {
  const program = agentProgram(config, name);
  const { adapter } = program;
  if (program.declaration !== undefined) return { name, adapter, problem: 'llmc has no demo API for an agent you declared yourself' };
  const agent = findAgent(adapter);
  const command = program.command ?? agent.defaultCommand;
  const { rehearsal, recordedVersions } = agent;
  if (rehearsal === undefined) return { name, adapter, problem: 'llmc has no demo API for it' };
  const player = { agent, rehearsal, command, env: program.env, channel: toChannel(program) };
  // A built-in agent has the version of llmc.
  if (recordedVersions === undefined) return { name, adapter, trial: { ...player, version: llmc }, recorded: true };
  const said = await readVersion({ processes }, [command, '--version'], program.env);
  if (said.kind === 'missing') return { name, adapter, problem: `${command} is not on PATH` };
  if (said.kind === 'no-answer') return { name, adapter, problem: `${command} --version ${said.reason}` };
  const version = versionIn(said.text);
  if (version === undefined) return { name, adapter, problem: `${command} --version names no version` };
  return { name, adapter, trial: { ...player, version }, recorded: recordedVersions.includes(version) };
}
