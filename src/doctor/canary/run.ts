import { createHash } from 'node:crypto';
import { fault } from '../../base/fault.ts';
import { type Canary, keepCanary } from '../../store/canaries.ts';
import type { Layout } from '../../store/layout.ts';
import { makeDirectory } from '../../system/files.ts';
import { waitForLock } from '../../system/lock.ts';
import { sweep } from './clear-up.ts';
import { rehearse } from './rehearse.ts';
import { openStage, type Player, type StagePorts } from './stage.ts';

export interface Trial extends Player {
  readonly version: string;
}

export interface CanaryOptions {
  readonly llmc: string;
  /** For a canary of the same root that is already at work. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Tries one version out and keeps what came of it; undefined when another canary of this root kept the place. */
export async function runCanary(layout: Layout, trial: Trial, ports: StagePorts, options: CanaryOptions): Promise<Canary | undefined> {
  const { llmc, waitMs, signal } = options;
  makeDirectory(layout.run);
  using lock = await waitForLock(layout.canaryLock, waitMs, ports.clock, signal);
  if (lock === undefined) return undefined;
  const prefix = `llmc-canary-${createHash('sha256').update(layout.root).digest('hex').slice(0, 8)}-`;
  await sweep(ports.processes, prefix);
  const at = Math.floor(ports.clock.now() / 1_000);
  await using stage = await openStage(trial, prefix, ports);
  const checks = await rehearse(trial, stage, ports.clock, signal);
  fault('canary:before-keep');
  return keepCanary(layout.canaries, { adapter: trial.agent.name, version: trial.version, llmc, at_unix: at, checks: [...checks] });
}
