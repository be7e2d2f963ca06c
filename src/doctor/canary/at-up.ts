import { describeError } from '../../base/error.ts';
import { loadConfigInForce } from '../../config/in-force.ts';
import { findCanary, readCanaries } from '../../store/findings/canaries.ts';
import { makeLayout } from '../../store/layout.ts';
import { usedAgents } from '../used-agents.ts';
import type { StagePorts } from './stage.ts';
import { findCandidates } from './trials.ts';
import { type TriedOut, tryOut } from './try-out.ts';

export interface AtUp {
  readonly root: string;
  readonly llmc: string;
  readonly ports: StagePorts;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Runs a canary for each version that is not recorded, once per machine. Reports a failure instead of throwing: no caller waits for it. */
export async function canariesAtUp({ root, llmc, ports, report, signal }: AtUp): Promise<void> {
  try {
    const { config } = await loadConfigInForce(root);
    if (!config.defaults.canary) return;
    const layout = makeLayout(root);
    const kept = readCanaries(layout.canaries);
    const needed = (await findCandidates(ports.processes, config, usedAgents(config), llmc)).filter(
      (each) => 'trial' in each && !each.recorded && !findCanary(kept, { adapter: each.adapter, llmc, ...each.trial }),
    );
    const tried = await tryOut(needed, layout, ports, { llmc, waitMs: 0, signal, report: () => undefined });
    for (const each of tried) report(triedOutText(each));
  } catch (error) {
    if (!signal.aborted) report(`The canary did not run: ${describeError(error)}`);
  }
}

export function triedOutText({ agent, version, outcome, why, way, checks }: TriedOut): string {
  const subject = `Canary of ${agent} ${version ?? ''}`.trim();
  if (outcome === 'not_run') return `${subject}: did not run: ${why}`;
  const tried = way === null ? subject : `${subject}, ${way} channel`;
  if (outcome === 'passed') return `${tried}: passed; llmc understands this version like the recorded ones`;
  const failed = checks.filter(({ verdict }) => verdict === 'failed').map(({ name, means }) => `${name} (${means})`);
  return `${tried}: failed: ${failed.join('; ')} See: llmc doctor`;
}
