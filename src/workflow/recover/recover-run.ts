import { LlmcError } from '../../base/error.ts';
import type { Clock } from '../../base/ports.ts';
import type { Checkpoints } from '../checkpoint/checkpoints.ts';
import { SqliteCheckpoints } from '../checkpoint/sqlite-checkpoints.ts';
import { postEvent, type RunContext } from '../control/post-event.ts';
import { collectRuns, requireRun } from '../control/require-run.ts';
import type { Run } from '../model/run.ts';
import type { RunStore } from '../store/ports.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { planRecovery, type RecoverOptions, type RecoveryPlan } from './plan-recovery.ts';
import type { RecoveryProbes } from './recovery-facts.ts';
import { type ReportedStep, recoveryRefusalText, recoverySteps } from './recovery-text.ts';
import { isUnderWay, type Verification, verifyRecovery } from './verify-recovery.ts';

export interface Recovery {
  readonly run: string;
  readonly checkpoint: string;
  /** `planned`: a dry run, which has changed nothing. `recorded`: it takes effect when the supervisor runs. */
  readonly outcome: 'planned' | 'recorded' | 'recovered';
  readonly steps: readonly ReportedStep[];
  /** What the last step found; null if it was not verified. */
  readonly verified: Verification['verdict'] | null;
}

const POLL_MS = 250;
/** An agent takes its task within seconds, or its CLI does not come up. */
const MOST_POLLS = 240;
/** Without a place among the agents of all runs, it may wait for hours. */
const MOST_QUEUED_POLLS = 20;

export interface RecoverRequest extends RecoverOptions {
  readonly run: string;
}

interface Stored {
  readonly runs: Pick<RunStore, 'load' | 'list'>;
  readonly checkpoints: Checkpoints;
}

/** Says what a recovery would do, and changes nothing. */
export async function dryRecovery(stored: Stored, clock: Pick<Clock, 'now'>, request: RecoverRequest): Promise<Recovery> {
  const { run, plan } = await requirePlan(stored, request);
  return {
    run: run.id,
    checkpoint: plan.from.id,
    outcome: 'planned',
    steps: recoverySteps(run, plan, request, clock.now()),
    verified: null,
  };
}

/**
 * Lets a run that has ended go on from a checkpoint, and verifies that it does. One end of a run is recovered from once.
 */
export async function recoverRun(context: RunContext, request: RecoverRequest, probes: RecoveryProbes): Promise<Recovery> {
  const { database } = context.store;
  const runs = new SqliteRuns(database);
  const { run, plan } = await requirePlan({ runs: collectRuns(context), checkpoints: new SqliteCheckpoints(database) }, request);
  const steps = recoverySteps(run, plan, request, context.clock.now());
  const key = `recovered:${run.counter}`;
  const { isNew, taken } = await postEvent(context, run.id, key, { kind: 'recovered', ...plan.restored });
  if (!isNew)
    throw new LlmcError('ILLEGAL_TRANSITION', `a recovery of ${run.id} is recorded already; it takes effect when the supervisor runs`, {
      hint: 'llmc up --detach',
    });
  if (!taken) return { run: run.id, checkpoint: plan.from.id, outcome: 'recorded', steps, verified: null };
  const { verdict, lines } = await verify(context, run.id, probes);
  await runs.note(run.id, `${NOTED[verdict]}: ${lines.join('; ')}`, context.clock.now());
  const last: ReportedStep = { step: '6. verify', lines: [VERIFIED[verdict], ...lines] };
  return { run: run.id, checkpoint: plan.from.id, outcome: 'recovered', steps: [...steps.slice(0, -1), last], verified: verdict };
}

const NOTED: Readonly<Record<Verification['verdict'], string>> = {
  sound: 'the recovery is complete',
  open: 'the recovery is not complete yet',
  problems: 'the recovery has problems',
};

const VERIFIED: Readonly<Record<Verification['verdict'], string>> = {
  sound: 'the recovery is complete: everything that should go on does so',
  open: 'nothing is wrong, and something has not begun yet',
  problems: 'something is wrong',
};

/** Waits until what should go on has begun, and looks at it then. */
async function verify({ store, clock, signal }: RunContext, id: string, probes: RecoveryProbes): Promise<Verification> {
  const [runs, records] = [new SqliteRuns(store.database), new SqliteRecords(store.database)];
  for (let polls = 1, queued = 0; ; polls += 1) {
    const [run, tasks] = [await requireRun(runs, id), await records.openTasks(id)];
    const under = isUnderWay(run, tasks, clock.now());
    queued = under === 'queued' ? queued + 1 : 0;
    if (under === undefined || queued >= MOST_QUEUED_POLLS || polls >= MOST_POLLS || signal.aborted)
      return verifyRecovery(run, { workers: await probes.workers(id), hasArtifact: (path) => probes.hasArtifact(id, path), tasks });
    await clock.sleep(POLL_MS, signal).catch(() => undefined);
  }
}

async function requirePlan(
  { runs, checkpoints }: Stored,
  request: RecoverRequest,
): Promise<{ readonly run: Run; readonly plan: RecoveryPlan }> {
  const run = await requireRun(runs, request.run);
  if (request.checkpoint !== undefined && request.from !== undefined)
    throw new LlmcError('INVALID_ARGUMENT', 'expected one of --checkpoint and --from', { hint: 'llmc recover --help' });
  const plan = planRecovery(run, await checkpoints.list(run.id), request);
  if (!('kind' in plan)) return { run, plan };
  const { code, message, hint } = recoveryRefusalText(run, plan);
  throw new LlmcError(code, message, { hint });
}
