import { LlmcError } from '../../base/error.ts';
import type { Clock } from '../../base/ports.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Checkpoints } from '../checkpoint/checkpoints.ts';
import { SqliteCheckpoints } from '../checkpoint/sqlite-checkpoints.ts';
import { postEvent, type RunContext } from '../control/post-event.ts';
import { requireRun } from '../control/require-run.ts';
import type { Run } from '../model/run.ts';
import type { RunStore } from '../store/ports.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { planRecovery, type RecoverOptions, type RecoveryPlan } from './plan-recovery.ts';
import { type ReportedStep, recoverySteps, refusalText } from './recovery-text.ts';

export interface Recovery {
  readonly run: string;
  readonly checkpoint: string;
  /** `planned`: a dry run, which has changed nothing. `recorded`: it takes effect when the supervisor runs. */
  readonly outcome: 'planned' | 'recorded' | 'recovered';
  readonly steps: readonly ReportedStep[];
}

export interface RecoverRequest extends RecoverOptions {
  readonly run: string;
}

interface Stored {
  readonly runs: Pick<RunStore, 'load' | 'list'>;
  readonly checkpoints: Checkpoints;
}

/** Says what a recovery would do, and changes nothing. */
export async function dryRecovery(stored: Stored, clock: Pick<Clock, 'now'>, request: RecoverRequest): Promise<Recovery> {
  const { run, plan } = await planOf(stored, request);
  return { run: run.id, checkpoint: plan.from.id, outcome: 'planned', steps: recoverySteps(run, plan, request, clock.now()) };
}

/** Lets a run that has ended go on from a checkpoint. One end of a run is recovered from once. */
export async function recoverRun(context: RunContext, request: RecoverRequest): Promise<Recovery> {
  const { database } = context.store;
  const runs = new SqliteRuns(database);
  const { run, plan } = await planOf({ runs, checkpoints: new SqliteCheckpoints(database) }, request);
  const steps = recoverySteps(run, plan, request, context.clock.now());
  const key = `recovered:${run.counter}`;
  const { isNew, taken } = await postEvent(context, run.id, key, { kind: 'recovered', ...plan.restored });
  if (!isNew)
    throw new LlmcError('ILLEGAL_TRANSITION', `a recovery of ${run.id} is recorded already; it takes effect when the supervisor runs`, {
      hint: 'llmc up --detach',
    });
  if (!taken) return { run: run.id, checkpoint: plan.from.id, outcome: 'recorded', steps };
  const after = await requireRun(runs, run.id);
  return { run: run.id, checkpoint: plan.from.id, outcome: 'recovered', steps: [...steps.slice(0, -1), verified(after)] };
}

async function planOf({ runs, checkpoints }: Stored, request: RecoverRequest): Promise<{ readonly run: Run; readonly plan: RecoveryPlan }> {
  const run = await requireRun(runs, request.run);
  if (request.checkpoint !== undefined && request.from !== undefined)
    throw new LlmcError('INVALID_ARGUMENT', 'expected one of --checkpoint and --from', { hint: 'llmc recover --help' });
  const plan = planRecovery(run, await checkpoints.list(run.id), request);
  if (!('kind' in plan)) return { run, plan };
  const { code, message, hint } = refusalText(run, plan);
  throw new LlmcError(code, message, { hint });
}

function verified({ id, status, steps }: Run): ReportedStep {
  const states = Object.values(steps).map(({ address, state }) => `${address}: ${state.kind}`);
  return { step: '6. verify', lines: [`${id} is ${status}: ${states.join(', ')}`, commandLine('llmc', 'show', id)] };
}
