import { loadConfigInForce } from '../config/in-force.ts';
import { canariesAtUp } from '../doctor/canary/at-up.ts';
import { findCandidates } from '../doctor/canary/trials.ts';
import { type TriedOut, tryOut } from '../doctor/canary/try-out.ts';
import { usedAgents } from '../doctor/used-agents.ts';
import { systemPorts } from '../system/ports.ts';
import { interruption } from './interruption.ts';
import type { Shell } from './shell.ts';

/** Longer than a canary takes, so that a person who runs one gets its result. */
const PATIENCE_MS = 180_000;

/** `llmc doctor --canary`: tests every agent in use, or the named one, recorded or not. */
export async function canaryNow(shell: Shell, agent: string | undefined): Promise<readonly TriedOut[]> {
  const { config } = await loadConfigInForce(shell.root);
  const llmc = shell.options.version;
  const candidates = await findCandidates(systemPorts.processes, config, agent === undefined ? usedAgents(config) : [agent], llmc);
  return await tryOut(candidates, shell.layout, systemPorts, { llmc, waitMs: PATIENCE_MS, signal: interruption(), report: shell.say });
}

/** Tests each agent version that is not recorded, once, while a supervisor that has just started runs. */
export async function canaryBeside(shell: Shell, report: (line: string) => void, signal: AbortSignal): Promise<void> {
  await canariesAtUp({ root: shell.root, llmc: shell.options.version, ports: systemPorts, report, signal });
}
