import type { Instant } from '../../base/ports.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Checkpoints } from '../checkpoint/checkpoints.ts';
import { KEPT_AFTER_FAILURE_MS } from '../next/release/dismiss.ts';
import type { RunStore } from '../store/ports.ts';
import { readIfSound } from '../store/read-if-sound.ts';
import { planRecovery, type RecoverOptions } from './plan-recovery.ts';

/** A run that failed and can go on. */
export interface RecoveryOffer {
  readonly run: string;
  readonly why: string;
  readonly ended_ms: Instant;
  /** What to type. */
  readonly command: string;
}

/** A list that a person reads at every start. */
const MOST_OFFERS = 5;

interface Stored {
  readonly runs: Pick<RunStore, 'list' | 'load'>;
  readonly checkpoints: Checkpoints;
}

/** The runs that failed lately and have a sound checkpoint, the newest first. A run that a person aborted is not offered. */
export async function recoveryOffers({ runs, checkpoints }: Stored, now: Instant): Promise<readonly RecoveryOffer[]> {
  const failed = (await runs.list()).filter(({ status, endedMs }) => status === 'failed' && now - (endedMs ?? 0) < KEPT_AFTER_FAILURE_MS);
  const offers: RecoveryOffer[] = [];
  for (const { id, endedMs } of failed.slice(0, MOST_OFFERS)) {
    const run = await readIfSound(runs, id);
    if (typeof run !== 'object') continue;
    if ('kind' in planRecovery(run, await checkpoints.list(id), DEFAULTS)) continue;
    offers.push({
      run: id,
      why: run.error?.message ?? 'it failed',
      ended_ms: endedMs ?? now,
      command: commandLine('llmc', 'recover', id),
    });
  }
  return offers;
}

const DEFAULTS: RecoverOptions = { retryFailedStage: false, keepAgents: false, dropMessages: false };
