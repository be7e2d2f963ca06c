import { type ErrorRecord, errorRecord } from '../../recovery/error-record.ts';
import { errorFromThrown } from '../../recovery/errors/from-thrown.ts';
import { retryDelayMs } from '../../recovery/retry/retry.ts';
import { type Action, LASTING_KINDS } from '../model/action.ts';
import type { AboutAction, What } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { isWanted, perform } from '../perform/perform.ts';
import type { Claim, FailedAttempt, RetryOutcome } from '../store/ports.ts';
import { guardEffects, longestMs, type Performance, takenOverText } from './performance.ts';
import type { EnginePorts } from './ports.ts';
import { withMessageRetries } from './with-retries.ts';

/** Longer than any gap of the process, shorter than a person's patience: another process takes over after it. */
export const LEASE_MS = 60_000;

/** `stop`: the process ends. `wake`: an event was posted before the answer. */
export interface CarryingOut {
  readonly stop: AbortSignal;
  readonly performance: Performance;
  readonly wake: () => void;
}

/** Performs a claimed task, stores the event that answers it, then settles the claim: in this order, nothing is lost between two steps. */
export async function carryOut(ports: EnginePorts, how: CarryingOut): Promise<void> {
  const { runs, queue, fault, clock, random } = ports;
  const { claim } = how.performance;
  const { run: id, action } = claim;
  const run = await runs.load(id);
  if (run !== undefined && isWanted(run, action)) {
    if (claim.takenOver) await runs.note(id, takenOverText(claim), clock.now(), action.step);
    await fault('run:before-perform');
    const answer = await keepingTheLease(ports, claim, () => performOrFail(ports, run, how));
    if (answer === 'stopped') return;
    if (answer === 'held') {
      await queue.release(claim, clock.now());
      return;
    }
    if (answer?.kind === 'not_done' && !how.performance.drop.signal.aborted && (await laterAgain(ports, claim, answer.error))) return;
    await noteOutcome(ports, claim, answer);
    await fault('run:after-perform');
    if (how.performance.takenOver.signal.aborted) return;
    // One key per action: of two performances, the first answer counts.
    if (answer !== null) await runs.post(id, { key: `done:${action.id}`, at: clock.now(), dice: random.next(), what: answer });
    await fault('run:after-post');
  }
  await queue.settle(claim);
  await fault('run:after-settle');
}

async function performOrFail(
  ports: EnginePorts,
  run: Run,
  { stop, performance, wake }: CarryingOut,
): Promise<AboutAction | null | 'stopped' | 'held'> {
  const { runs, clock, random } = ports;
  const { drop, hold, takenOver } = performance;
  const { action, attempt } = performance.claim;
  const report = async (what: AboutAction) => {
    // Each performance says it: one that was killed in the middle has begun for nothing.
    await runs.post(run.id, { key: `${what.kind}:${action.id}:${attempt}`, at: clock.now(), dice: random.next(), what });
    wake();
  };
  const post = async (key: string, what: What) => {
    await runs.post(run.id, { key, at: clock.now(), dice: random.next(), what });
  };
  try {
    const signal = AbortSignal.any([stop, drop.signal, takenOver.signal]);
    const effects = guardEffects(ports, performance);
    const workers = withMessageRetries(effects.workers, ports, performance.claim, AbortSignal.any([signal, hold.signal]));
    const answer = await perform({ ...effects, workers }, run, action, { signal, report, post });
    return takenOver.signal.aborted ? 'stopped' : answer;
  } catch (error) {
    // The claim stays: the next start performs it again, or another performance has it.
    if (stop.aborted || takenOver.signal.aborted) return 'stopped';
    const { id, step, task } = action;
    if (hold.signal.aborted) return 'held';
    if (drop.signal.aborted && !LASTING_KINDS.includes(task.kind)) return null;
    const record = errorFromThrown(error, { id: `${id}.error`, component: step, at: clock.now(), retries: attempt - 1 });
    return LASTING_KINDS.includes(task.kind)
      ? { kind: 'not_done', action: id, error: notDone(action, record) }
      : { kind: 'failed', action: id, error: record };
  }
}

/** No step waits for it, so no strategy of a stage follows. It is tried again by itself; what comes after it with the same worker waits. */
async function laterAgain({ runs, queue, policy, clock, random }: EnginePorts, claim: Claim, error: ErrorRecord): Promise<boolean> {
  const settings = (await policy()).retry.default;
  if (!(error.cause ?? error).retryable || claim.attempt > settings.maxRetries) return false;
  const delayMs = retryDelayMs(claim.attempt, settings, random.next());
  await retried(runs, claim, [toFailedAttempt(claim, error, delayMs)], null);
  return await queue.release(claim, clock.now() + delayMs);
}

function toFailedAttempt({ action, attempt }: Claim, error: ErrorRecord, delayMs: number | null): FailedAttempt {
  return { step: action.step, operation: action.task.kind.replace('_', ' '), attempt, at: error.at, delayMs, error };
}

/** What became of an operation that was tried before. */
async function noteOutcome({ runs }: EnginePorts, claim: Claim, answer: AboutAction | null): Promise<void> {
  const { action, attempt } = claim;
  if (attempt === 1 || !LASTING_KINDS.includes(action.task.kind)) return;
  if (answer?.kind === 'not_done') await retried(runs, claim, [toFailedAttempt(claim, answer.error, null)], 'failed');
  else await retried(runs, claim, [], 'succeeded');
}

/** For people: a record that cannot be written stops nothing. */
async function retried(
  runs: EnginePorts['runs'],
  { run, action }: Claim,
  failed: readonly FailedAttempt[],
  outcome: RetryOutcome | null,
): Promise<void> {
  await runs.retried(run, action.id, failed, outcome).catch(() => undefined);
}

/** A message that cannot be delivered is a dead letter. */
function notDone({ task, step }: Action, cause: ErrorRecord): ErrorRecord {
  const { id, at } = cause;
  if (task.kind === 'deliver') {
    const message = `a message from ${task.from} was not delivered: ${cause.message}`;
    return errorRecord({ id, code: 'ROUTING_FAILED', message, details: task.text, component: step, at, cause });
  }
  if (task.kind === 'archive') return { ...cause, message: `what ${step} left was not archived: ${cause.message}` };
  return { ...cause, message: `the worker ${'seat' in task ? task.seat : step} was not stopped: ${cause.message}` };
}

/** Prolongs the lease while the work lasts, but not for ever: a performance that hangs would keep its step from every other one. */
async function keepingTheLease<T>({ queue, clock }: EnginePorts, claim: Claim, work: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const beat = async () => {
    // Counted in beats, not by the clock: time in which the machine was suspended is nobody's fault.
    for (let beats = 1; (beats * LEASE_MS) / 3 <= longestMs(claim.action.task.kind); beats += 1) {
      await clock.sleep(LEASE_MS / 3, done.signal);
      await queue.heartbeat(claim, clock.now() + LEASE_MS);
    }
  };
  // Ends with the signal. A heartbeat that fails only lets the lease run out.
  void beat().catch(() => undefined);
  try {
    return await work();
  } finally {
    done.abort();
  }
}
