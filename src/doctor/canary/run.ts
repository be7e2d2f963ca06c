import { createHash } from 'node:crypto';
import { fault } from '../../base/fault.ts';
import { type Canary, keepCanary } from '../../store/findings/canaries.ts';
import type { Layout } from '../../store/layout.ts';
import { makeDirectory } from '../../system/files/files.ts';
import { waitForLock } from '../../system/lock.ts';
import { CheckLog } from './check-log.ts';
import { type ChannelChoice, chooseChannel } from './choose-channel.ts';
import { sweep } from './clear-up.ts';
import { PROTOCOL_QUESTIONS } from './questions.ts';
import { rehearseKeyboard } from './rehearse-keyboard.ts';
import { rehearseProtocol } from './rehearse-protocol.ts';
import { openStage, type Player, type StagePorts } from './stage.ts';

export interface Trial extends Player, ChannelChoice {
  readonly version: string;
}

export interface CanaryOptions {
  readonly llmc: string;
  /** How long to wait for another canary of the same root. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Runs a canary for one version and stores the result; undefined if another canary of this root still holds the lock. */
export async function runCanary(layout: Layout, trial: Trial, ports: StagePorts, options: CanaryOptions): Promise<Canary | undefined> {
  const { llmc, waitMs, signal } = options;
  makeDirectory(layout.run);
  using lock = await waitForLock(layout.canaryLock, waitMs, ports, signal);
  if (lock === undefined) return undefined;
  const prefix = `llmc-canary-${createHash('sha256').update(layout.root).digest('hex').slice(0, 8)}-`;
  await sweep(ports.processes, prefix);
  const at = Math.floor(ports.clock.now() / 1_000);
  const log = new CheckLog(ports.clock, signal);
  await rehearse(trial, prefix, log, ports, signal);
  fault('canary:before-keep');
  const { agent, version, channel } = trial;
  return keepCanary(layout.canaries, { adapter: agent.name, version, llmc, channel, at_unix: at, checks: [...log.checks] });
}

async function rehearse(trial: Trial, prefix: string, log: CheckLog, ports: StagePorts, signal: AbortSignal): Promise<void> {
  const channelUsed = await chooseChannel(trial, ports.processes, log, signal);
  if (channelUsed === undefined) {
    log.skip(
      PROTOCOL_QUESTIONS.map(({ name }) => name),
      'the program does not say whether it has the protocol',
    );
    return;
  }
  await using stage = await openStage(trial, channelUsed, prefix, ports);
  const { agent } = trial;
  if (channelUsed === 'protocol' && agent.protocol !== undefined)
    await rehearseProtocol({ agent, protocol: agent.protocol }, stage, log, ports);
  else await rehearseKeyboard(trial, stage, log, ports.clock, signal);
}
