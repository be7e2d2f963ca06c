import { createHash } from 'node:crypto';
import { fault } from '../../base/fault.ts';
import { type Canary, keepCanary } from '../../store/canaries.ts';
import type { Layout } from '../../store/layout.ts';
import { makeDirectory } from '../../system/files/files.ts';
import { waitForLock } from '../../system/lock.ts';
import { Book } from './check-log.ts';
import { OF_SPEAKING } from './checks.ts';
import { chooseWay, type Speaker } from './choose-way.ts';
import { sweep } from './clear-up.ts';
import { rehearseSpeaking } from './rehearse-speaking.ts';
import { rehearseTyping } from './rehearse-typing.ts';
import { openStage, type Player, type StagePorts } from './stage.ts';

export interface Trial extends Player, Speaker {
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
  const book = new Book(ports.clock, signal);
  await rehearse(trial, prefix, book, ports, signal);
  fault('canary:before-keep');
  const { agent, version, channel } = trial;
  return keepCanary(layout.canaries, { adapter: agent.name, version, llmc, channel, at_unix: at, checks: [...book.checks] });
}

async function rehearse(trial: Trial, prefix: string, book: Book, ports: StagePorts, signal: AbortSignal): Promise<void> {
  const way = await chooseWay(trial, ports.processes, book, signal);
  if (way === undefined) {
    book.skip(
      OF_SPEAKING.map(({ name }) => name),
      'it does not tell whether it can be spoken to',
    );
    return;
  }
  await using stage = await openStage(trial, way, prefix, ports);
  const { agent } = trial;
  if (way === 'spoken' && agent.protocol !== undefined) await rehearseSpeaking({ agent, protocol: agent.protocol }, stage, book, ports);
  else await rehearseTyping(trial, stage, book, ports.clock, signal);
}
