import { messageOf } from '../../base/error.ts';
import { loadConfig } from '../../config/load.ts';
import { findCanary, readCanaries } from '../../store/canaries.ts';
import { layoutOf } from '../../store/layout.ts';
import { usedAgents } from '../used-agents.ts';
import type { StagePorts } from './stage.ts';
import { findCandidates } from './trials.ts';
import { type TriedOut, tryOut } from './try-out.ts';

export interface AtUp {
  readonly root: string;
  readonly llmc: string;
  readonly ports: StagePorts;
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Tries out each version nobody has recorded, once per machine. What goes wrong is told; nothing waits for it. */
export async function canariesAtUp({ root, llmc, ports, tell, signal }: AtUp): Promise<void> {
  try {
    const config = await loadConfig(root);
    if (!config.defaults.canary) return;
    const layout = layoutOf(root);
    const kept = readCanaries(layout.canaries);
    const needed = (await findCandidates(ports.processes, config, usedAgents(config), llmc)).filter(
      (each) => 'trial' in each && !each.recorded && !findCanary(kept, { adapter: each.adapter, llmc, ...each.trial }),
    );
    const tried = await tryOut(needed, layout, ports, { llmc, waitMs: 0, signal, say: () => undefined });
    for (const each of tried) tell(inWords(each));
  } catch (error) {
    if (!signal.aborted) tell(`The canary did not run: ${messageOf(error)}`);
  }
}

export function inWords({ agent, version, outcome, why, way, checks }: TriedOut): string {
  const subject = `Canary of ${agent} ${version ?? ''}`.trim();
  if (outcome === 'not_run') return `${subject}: did not run: ${why}`;
  const tried = way === null ? subject : `${subject}, ${way} to`;
  if (outcome === 'passed') return `${tried}: passed; llmc understands this version like the recorded ones`;
  const failed = checks.filter(({ verdict }) => verdict === 'failed').map(({ name, means }) => `${name} (${means})`);
  return `${tried}: failed: ${failed.join('; ')} See: llmc doctor`;
}
